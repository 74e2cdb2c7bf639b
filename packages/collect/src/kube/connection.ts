/** What one request to an API server may say besides its path. */
export interface RequestOptions {
  /** Query parameters; undefined ones are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** `Accept` of the request; default `application/json`. */
  readonly accept?: string;
  /** The whole request, retries included, ends by then (milliseconds); default of the connection if absent. */
  readonly deadlineMs?: number;
  /** Most repetitions after 429, 5xx or a cut connection (default 5). */
  readonly repeats?: number;
  /** Ends the request at once; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** What the request reads, as words of an error ("pods"); default the path. */
  readonly what?: string;
}

/** A stream also ends when no byte came for `idleMs` milliseconds. `deadlineMs` is for its head only. */
export interface StreamOptions extends RequestOptions {
  readonly idleMs: number;
}

/** A list without its items. */
export type ListHeader = Readonly<Record<string, unknown>>;

/**
 * One API server, reached with one context's credentials. Requests may run side by side: the connection bounds how many.
 *
 * `getList` reads a list without ever holding it: `onItem` gets each raw element of `items` as soon as it is there, and it
 * resolves with the rest of the list. When a connection breaks inside an answer, that page is read once more and its first
 * items are told again. What `onItem` throws ends it.
 *
 * All three retry 429 (after the server's Retry-After, bounded) and 5xx a few times inside their deadline;
 * they reject with a `PlimsollError`: cluster_unreachable, cluster_timeout, cluster_unauthorized, cluster_forbidden,
 * tls_untrusted, credential_plugin_failed, api_missing (404), list_expired (410), cluster_busy (429), api_error,
 * api_answer_invalid.
 * `streamLines` does not retry: it resolves when the head of a good answer is there and yields whole lines only (a line
 * that a cut left unfinished is dropped); a cut, or silence longer than `idleMs`, rejects with cluster_unreachable.
 * `close` frees sockets; running requests fail.
 */
export interface KubeConnection {
  /** Address as written in the kubeconfig, without a user or password in it. */
  readonly server: string;
  readonly context: string;
  getJson(path: string, options?: RequestOptions): Promise<unknown>;
  getList(path: string, onItem: (raw: unknown) => void, options?: RequestOptions): Promise<ListHeader>;
  getText(path: string, options?: RequestOptions): Promise<string>;
  streamLines(path: string, options: StreamOptions): Promise<AsyncIterable<string>>;
  close(): void;
}
