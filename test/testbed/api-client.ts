import { Agent, request as httpsRequest } from "node:https";

/** An answer of the API server that is no success. `status` is the HTTP status, `reason` that of the Status object. */
export class ApiError extends Error {
  readonly status: number;
  readonly reason: string;

  constructor(what: string, status: number, body: string) {
    const { message, reason } = parseStatus(body);
    super(`${what}: ${status} ${message}`);
    this.name = "ApiError";
    this.status = status;
    this.reason = reason;
  }
}

/** JSON requests to one API server with one token. Connections are kept alive; `close` ends them. */
export interface ApiClient {
  /** GET of a path; the parsed JSON, or the text when the answer is not JSON. */
  get(path: string): Promise<unknown>;
  post(path: string, body: object): Promise<unknown>;
  put(path: string, body: object): Promise<unknown>;
  /** Merge patch (RFC 7386). */
  patch(path: string, body: object): Promise<unknown>;
  delete(path: string): Promise<unknown>;
  /** The items of a list, read page by page (500 each). */
  list(path: string): Promise<readonly ApiObject[]>;
  close(): void;
}

/** A Kubernetes object as far as the testbed itself looks into it. */
export interface ApiObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid?: string };
  readonly [field: string]: unknown;
}

/** Where a client connects. `timeoutMs` is the limit of one request (default 30,000). */
export interface ApiClientOptions {
  readonly server: string;
  readonly ca: string;
  readonly token: string;
  readonly timeoutMs?: number;
}

/** A client for `options.server`; opens no connection until the first request. */
export function apiClient(options: ApiClientOptions): ApiClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 24, ca: options.ca });
  const send = (method: string, path: string, body?: object) => sendJson({ ...options, agent, method, path, body });
  return {
    get: (path) => send("GET", path),
    post: (path, body) => send("POST", path, body),
    put: (path, body) => send("PUT", path, body),
    patch: (path, body) => send("PATCH", path, body),
    delete: (path) => send("DELETE", path),
    list: async (path) => {
      const items: ApiObject[] = [];
      let next = "";
      do {
        const separator = path.includes("?") ? "&" : "?";
        const page = parseList(await send("GET", `${path}${separator}limit=500${next}`), path);
        items.push(...page.items);
        next = page.continueToken === "" ? "" : `&continue=${encodeURIComponent(page.continueToken)}`;
      } while (next !== "");
      return items;
    },
    close: () => agent.destroy(),
  };
}

interface JsonRequest extends ApiClientOptions {
  readonly agent: Agent;
  readonly method: string;
  readonly path: string;
  readonly body: object | undefined;
}

function sendJson(options: JsonRequest): Promise<unknown> {
  const { method, path, body } = options;
  const what = `${method} ${path}`;
  const headers: Record<string, string> = { authorization: `Bearer ${options.token}`, accept: "application/json" };
  const payload = body === undefined ? undefined : JSON.stringify(body);
  if (payload !== undefined) {
    headers["content-type"] = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    headers["content-length"] = String(Buffer.byteLength(payload));
  }
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(options.timeoutMs ?? 30_000);
    const url = new URL(path, options.server);
    const call = httpsRequest(url, { method, headers, agent: options.agent, signal }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const status = response.statusCode ?? 0;
        if (status >= 300) reject(new ApiError(what, status, text));
        else resolve(parseBody(text));
      });
    });
    call.on("error", (error) => reject(new Error(`${what}: ${error.message}`, { cause: error })));
    call.end(payload);
  });
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function parseStatus(body: string): { message: string; reason: string } {
  const status = parseBody(body);
  if (!isRecord(status)) return { message: body.slice(0, 200), reason: "" };
  return { message: String(status.message ?? ""), reason: String(status.reason ?? "") };
}

function parseList(answer: unknown, path: string): { items: readonly ApiObject[]; continueToken: string } {
  if (!isRecord(answer) || !Array.isArray(answer.items)) throw new Error(`GET ${path}: not a list`);
  const metadata = answer.metadata;
  const token = isRecord(metadata) ? metadata.continue : undefined;
  return { items: answer.items.map(asObject), continueToken: typeof token === "string" ? token : "" };
}

/** Checks that `value` is an object with metadata.name; throws when it is not. */
export function asObject(value: unknown): ApiObject {
  if (isApiObject(value)) return value;
  throw new Error(`not a Kubernetes object: ${JSON.stringify(value)?.slice(0, 100)}`);
}

function isApiObject(value: unknown): value is ApiObject {
  return isRecord(value) && isRecord(value.metadata) && typeof value.metadata.name === "string";
}

/** Is `value` a plain object (not null, not an array)? */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
