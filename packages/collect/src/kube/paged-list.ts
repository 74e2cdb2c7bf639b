import { PlimsollError } from "@plimsoll/contracts";
import { FieldReader } from "../projection/field-reader.ts";
import type { KubeConnection } from "./connection.ts";

/** Objects a page: memory follows the page, not the cluster (100 pods are some 0.5 MB of JSON). */
export const PAGE_SIZE = 100;

/** What to list and how. */
export interface PagedListOptions<T> {
  readonly path: string;
  /** What it is called in errors ("pods"). */
  readonly what: string;
  /** Takes one raw item; what it throws as object_unusable goes to `onUnusable`. */
  readonly project: (raw: unknown, where: string) => T;
  readonly query?: Readonly<Record<string, string | undefined>>;
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
 * Lists page by page; a raw page is released before the next one is asked for. A page token that expired restarts the
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
  const byUid = new Map<string, Listed<T>>();
  let token: string | undefined;
  for (;;) {
    const page = await readPage(conn, options, limit, token);
    for (const raw of page.items) keep(byUid, raw, options);
    options.onPage?.(byUid.size);
    if (page.token === undefined) return { items: [...byUid.values()], resourceVersion: page.resourceVersion };
    token = page.token;
  }
}

async function readPage<T>(conn: KubeConnection, options: PagedListOptions<T>, limit: number, token?: string) {
  const { path, what, signal, deadlineMs, repeats } = options;
  const query = { ...options.query, limit, continue: token };
  const raw = await conn.getJson(path, { query, what, signal, deadlineMs, repeats });
  const page = parsePage(raw);
  if (!page) throw new PlimsollError("api_answer_invalid", { server: conn.server, what, reason: "it has no items" });
  return page;
}

function parsePage(raw: unknown): { items: readonly unknown[]; resourceVersion: string; token?: string } | undefined {
  if (typeof raw !== "object" || raw === null || !("items" in raw)) return undefined;
  // An empty list of a Go server may be null.
  const items = raw.items ?? [];
  if (!Array.isArray(items)) return undefined;
  const metadata = new FieldReader(raw, "list").optionalObject("metadata");
  return {
    items,
    resourceVersion: metadata?.optionalText("resourceVersion") ?? "",
    token: metadata?.optionalText("continue") || undefined,
  };
}

function keep<T>(byUid: Map<string, Listed<T>>, raw: unknown, options: PagedListOptions<T>): void {
  try {
    const listed = toListed(raw, options.what, options.project);
    byUid.set(listed.uid, listed);
  } catch (error) {
    if (!(error instanceof PlimsollError) || error.code !== "object_unusable") throw error;
    options.onUnusable?.(error);
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
