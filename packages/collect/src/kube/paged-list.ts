import { PlimsollError } from "@plimsoll/contracts";
import { FieldReader } from "../projection/field-reader.ts";
import type { KubeConnection } from "./connection.ts";

/**
 * Objects a page. Items are taken from the stream one by one, so that memory does not follow it; larger pages would only
 * hold the server up longer at once.
 */
const PAGE_SIZE = 500;

/** What to list and how. */
export interface PagedListOptions<T> {
  readonly path: string;
  /** What it is called in errors ("pods"). */
  readonly what: string;
  /** Takes one raw item; what it throws as object_unusable goes to `onUnusable`. */
  readonly project: (raw: unknown, where: string) => T;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Objects a page (default 500). */
  readonly pageSize?: number;
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
  readonly repeats?: number;
  /** Hears how many objects were read so far; starts again at a restart. */
  readonly onPage?: (objects: number) => void;
  readonly onUnusable?: (error: PlimsollError) => void;
}

/** One listed object with what only a watch needs of it. */
export interface Listed<T> {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly object: T;
}

/** A complete and consistent list: every object at one version of the store. */
export interface ListResult<T> {
  readonly items: readonly Listed<T>[];
  readonly resourceVersion: string;
}

/**
 * Lists page by page; a raw object is released as soon as it is projected. A page token that expired restarts the
 * list once from scratch with larger pages, so that the result is one consistent version and the second try is faster;
 * an item that comes twice (same UID) is one, the later wins. Throws what the connection throws, list_expired when the
 * second try expires too, api_answer_invalid when the answer is no list.
 */
export async function pagedList<T>(conn: KubeConnection, options: PagedListOptions<T>): Promise<ListResult<T>> {
  const pageSize = options.pageSize ?? PAGE_SIZE;
  try {
    return await listOnce(conn, options, pageSize);
  } catch (error) {
    if (!(error instanceof PlimsollError) || error.code !== "list_expired") throw error;
    return listOnce(conn, options, pageSize * 5);
  }
}

async function listOnce<T>(conn: KubeConnection, options: PagedListOptions<T>, limit: number): Promise<ListResult<T>> {
  const { path, what, signal, deadlineMs, repeats } = options;
  const byUid = new Map<string, Listed<T>>();
  const unusable = new Map<string, PlimsollError>();
  const onItem = (raw: unknown) => keep(raw, options, byUid, unusable);
  let token: string | undefined;
  for (;;) {
    const query = { ...options.query, limit, continue: token };
    const header = await conn.getList(path, onItem, { query, what, signal, deadlineMs, repeats });
    const page = readHeader(header, conn, what);
    options.onPage?.(byUid.size);
    token = page.token;
    if (token !== undefined) continue;
    // Only now, and by message: a page that was read twice must not tell twice.
    for (const error of unusable.values()) options.onUnusable?.(error);
    return { items: [...byUid.values()], resourceVersion: page.resourceVersion };
  }
}

/** What a list says of itself: the token of its next page, if there is one, and its version. Throws api_answer_invalid. */
function readHeader(header: unknown, { server, context }: KubeConnection, what: string) {
  try {
    const metadata = new FieldReader(header, what).optionalObject("metadata");
    const token = metadata?.optionalText("continue") || undefined;
    return { token, resourceVersion: metadata?.optionalText("resourceVersion") ?? "" };
  } catch (error) {
    if (!(error instanceof PlimsollError)) throw error;
    throw new PlimsollError("api_answer_invalid", { server, context, what, reason: error.fields.reason ?? "" });
  }
}

function keep<T>(
  raw: unknown,
  options: PagedListOptions<T>,
  byUid: Map<string, Listed<T>>,
  unusable: Map<string, PlimsollError>,
): void {
  try {
    const listed = toListed(raw, options.what, options.project);
    byUid.set(listed.uid, listed);
  } catch (error) {
    if (!(error instanceof PlimsollError) || error.code !== "object_unusable") throw error;
    unusable.set(error.message, error);
  }
}

/** A raw object of `what` with its projection. Objects without a UID (metrics) go by their name. Throws object_unusable. */
export function toListed<T>(raw: unknown, what: string, project: PagedListOptions<T>["project"]): Listed<T> {
  const metadata = new FieldReader(raw, `one of ${what}`).object("metadata");
  const name = [metadata.optionalText("namespace"), metadata.text("name")].filter((part) => part).join("/");
  return {
    uid: metadata.optionalText("uid") ?? name,
    resourceVersion: metadata.optionalText("resourceVersion") ?? "",
    object: project(raw, `${what} ${name}`),
  };
}
