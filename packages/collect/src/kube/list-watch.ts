import { PlimsollError } from "@plimsoll/contracts";
import { type BackOff, backOffMs, RETRY_AFTER_CAP_MS } from "./back-off.ts";
import { type Clock, type Random, sleep } from "./clock.ts";
import type { KubeConnection } from "./connection.ts";
import { type Listed, pagedList, toListed } from "./paged-list.ts";
import { parseWatchEvent, type RawWatchEvent } from "./watch-event.ts";

/** What became of one object, or that everything listed so far was told (`synced`, after each list). */
export type WatchEvent<T> =
  | { readonly type: "added" | "modified" | "deleted"; readonly uid: string; readonly object: T }
  | { readonly type: "synced"; readonly objects: number };

/** What the loop is doing: for logs and counters, not for data. */
export type WatchState =
  | { readonly kind: "listing"; readonly reason: "start" | "expired" }
  | { readonly kind: "watching"; readonly resourceVersion: string }
  | { readonly kind: "bookmark"; readonly resourceVersion: string }
  | { readonly kind: "failing"; readonly error: PlimsollError; readonly waitMs: number }
  | { readonly kind: "unusable"; readonly error: PlimsollError };

/** What to list and watch, and how patiently. */
export interface ListWatchOptions<T> {
  readonly path: string;
  /** What it is called in errors ("pods"). */
  readonly what: string;
  readonly project: (raw: unknown, where: string) => T;
  readonly clock: Clock;
  readonly random: Random;
  /** Told in order, one at a time. When it throws, the loop ends and `listWatch` rejects with it. */
  readonly onEvent: (event: WatchEvent<T>) => void | Promise<void>;
  readonly onState?: (state: WatchState) => void;
  readonly pageSize?: number;
  /** A watch without a byte for this long is dead, milliseconds. Bookmarks come about once a minute. */
  readonly idleMs?: number;
  /** The server ends each watch after a random time in this range, seconds. */
  readonly timeoutSeconds?: readonly [min: number, max: number];
  /** Where the present objects are kept, by UID: pass one to read them. Only the loop may change it. */
  readonly store?: Map<string, Listed<T>>;
}

const BACK_OFF: BackOff = { baseMs: 500, capMs: 60_000 };

/**
 * Tells of every object of one resource and of every change, until the signal aborts (then it resolves). Lists page by
 * page, watches from the list's version, and goes on from the last version it saw after a cut or a server's end. Where
 * that version is gone (410) it lists again and tells the difference: what vanished meanwhile is `deleted` with its last
 * known state. No event is told twice; two objects of one name are two (UID). Failures never end it: it waits (full
 * jitter, or as long as the server asks) and tries again, with fresh credentials after a 401.
 */
export async function listWatch<T>(
  conn: KubeConnection,
  options: ListWatchOptions<T>,
  signal: AbortSignal,
): Promise<void> {
  const loop = new ListWatchLoop(conn, options, signal);
  try {
    let next: Step = "list";
    while (!signal.aborted) next = next === "list" ? await loop.list() : await loop.watch();
  } catch (error) {
    if (error instanceof ListenerFailure) throw error.cause;
    if (!signal.aborted) throw error;
  }
}

/** What the listener threw: never taken for a failure of the cluster and tried again. */
class ListenerFailure extends Error {}

type Step = "list" | "watch";

class ListWatchLoop<T> {
  readonly #conn: KubeConnection;
  readonly #options: ListWatchOptions<T>;
  readonly #signal: AbortSignal;
  readonly #store: Map<string, Listed<T>>;
  #resourceVersion = "";
  #listed = false;
  /** Steps in a row that brought nothing: they set the wait before the next one. */
  #failures = 0;

  constructor(conn: KubeConnection, options: ListWatchOptions<T>, signal: AbortSignal) {
    this.#conn = conn;
    this.#options = options;
    this.#signal = signal;
    this.#store = options.store ?? new Map();
  }

  async list(): Promise<Step> {
    const { path, what, project, pageSize } = this.#options;
    this.#tell({ kind: "listing", reason: this.#listed ? "expired" : "start" });
    const onUnusable = (error: PlimsollError) => this.#tell({ kind: "unusable", error });
    try {
      const signal = this.#signal;
      const list = await pagedList(this.#conn, { path, what, project, pageSize, signal, onUnusable });
      await this.#replace(list.items);
      this.#resourceVersion = list.resourceVersion;
      this.#listed = true;
      return "watch";
    } catch (error) {
      return this.#wait(error, "list");
    }
  }

  async watch(): Promise<Step> {
    const { path, what, idleMs = 150_000 } = this.#options;
    const query = {
      watch: 1,
      allowWatchBookmarks: true,
      resourceVersion: this.#resourceVersion,
      timeoutSeconds: this.#timeoutSeconds(),
    };
    const startedAt = this.#options.clock.now();
    try {
      const lines = await this.#conn.streamLines(path, { query, what, idleMs, signal: this.#signal });
      this.#tell({ kind: "watching", resourceVersion: this.#resourceVersion });
      for await (const line of lines) {
        await this.#apply(parseWatchEvent(line, what));
        this.#failures = 0;
      }
    } catch (error) {
      return this.#wait(error, "watch");
    }
    // A server that ends watches at once, again and again, must not be asked in a tight loop.
    if (this.#options.clock.now() - startedAt >= 1000) {
      this.#failures = 0;
      return "watch";
    }
    return this.#wait(this.#error("cluster_unreachable", { reason: "it ended the watch at once" }), "watch");
  }

  /** Makes the store equal to a new list and tells the difference; deletions first, so that names are free again. */
  async #replace(items: readonly Listed<T>[]): Promise<void> {
    const present = new Set(items.map((item) => item.uid));
    for (const [uid, gone] of this.#store) {
      if (present.has(uid)) continue;
      this.#store.delete(uid);
      await this.#emit({ type: "deleted", uid, object: gone.object });
    }
    for (const item of items) await this.#put(item);
    await this.#emit({ type: "synced", objects: items.length });
  }

  async #put(item: Listed<T>): Promise<void> {
    const held = this.#store.get(item.uid);
    if (held && held.resourceVersion === item.resourceVersion) return;
    this.#store.set(item.uid, item);
    await this.#emit({ type: held ? "modified" : "added", uid: item.uid, object: item.object });
  }

  async #apply(event: RawWatchEvent): Promise<void> {
    switch (event.type) {
      case "ERROR":
        throw this.#streamError(event);
      case "BOOKMARK":
        this.#resourceVersion = event.resourceVersion || this.#resourceVersion;
        return this.#tell({ kind: "bookmark", resourceVersion: this.#resourceVersion });
      case "unknown":
        return;
      default:
        await this.#applyObject(event.object, event.type === "DELETED");
        this.#resourceVersion = event.resourceVersion || this.#resourceVersion;
    }
  }

  async #applyObject(raw: unknown, deleted: boolean): Promise<void> {
    const item = this.#project(raw);
    if (!item) return;
    if (!deleted) return this.#put(item);
    if (this.#store.delete(item.uid)) await this.#emit({ type: "deleted", uid: item.uid, object: item.object });
  }

  #project(raw: unknown): Listed<T> | undefined {
    try {
      return toListed(raw, this.#options.what, this.#options.project);
    } catch (error) {
      if (!(error instanceof PlimsollError) || error.code !== "object_unusable") throw error;
      this.#tell({ kind: "unusable", error });
      return undefined;
    }
  }

  /** Waits after a failed step and says which comes next. What is not a failure of the cluster ends the loop. */
  async #wait(thrown: unknown, step: Step): Promise<Step> {
    if (this.#signal.aborted) throw thrown;
    const error = thrown instanceof SyntaxError ? this.#error("api_answer_invalid", { reason: "broken JSON" }) : thrown;
    if (!(error instanceof PlimsollError)) throw thrown;
    this.#failures += 1;
    // The first 410 is daily business: list again at once. An event that cannot be read may be read in a list.
    const next = error.code === "list_expired" || error.code === "object_unusable" || thrown !== error ? "list" : step;
    const waitMs = error.code === "list_expired" && this.#failures === 1 ? 0 : this.#waitMs(error);
    this.#tell({ kind: "failing", error, waitMs });
    if (waitMs > 0) await sleep(this.#options.clock, waitMs, this.#signal);
    return next;
  }

  #waitMs(error: PlimsollError): number {
    const asked = error.code === "cluster_busy" ? Number(error.fields.seconds) * 1000 : 0;
    return Math.min(asked, RETRY_AFTER_CAP_MS) + backOffMs(this.#failures - 1, BACK_OFF, this.#options.random);
  }

  #streamError(event: RawWatchEvent & { type: "ERROR" }): PlimsollError {
    if (event.status === 410) return this.#error("list_expired", {});
    if (event.status === 429) {
      return this.#error("cluster_busy", { seconds: Math.ceil((event.retryAfterMs ?? 1000) / 1000) });
    }
    return this.#error("api_error", { status: event.status, reason: event.message });
  }

  #error(code: PlimsollError["code"], fields: Record<string, string | number>): PlimsollError {
    const { server, context } = this.#conn;
    return new PlimsollError(code, { server, context, what: this.#options.what, ...fields });
  }

  #timeoutSeconds(): number {
    const [min, max] = this.#options.timeoutSeconds ?? [300, 600];
    return Math.floor(min + this.#options.random() * (max - min));
  }

  async #emit(event: WatchEvent<T>): Promise<void> {
    try {
      await this.#options.onEvent(event);
    } catch (cause) {
      throw new ListenerFailure("the listener of a watch failed", { cause });
    }
  }

  #tell(state: WatchState): void {
    this.#options.onState?.(state);
  }
}
