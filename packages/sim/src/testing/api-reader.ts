/** For tests: reads a simulated cluster as any client would, over HTTP and JSON only. */
export interface ApiReader {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<ApiAnswer>;
  /** The items of a list, page by page. */
  items(path: string, pageSize?: number): Promise<readonly Json[]>;
  /** Opens a watch; events come into `events` as they arrive. */
  watch(path: string): Promise<ApiWatch>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of every shape.
export type Json = any;

interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
}

export interface ApiWatch {
  readonly status: number;
  readonly events: Json[];
  /** Text after the last whole line. */
  rest(): string;
  /** Resolves when `done` holds; rejects after five seconds. */
  until(done: () => boolean): Promise<void>;
  /** Resolves when the server ended the stream; gives how. */
  readonly ended: Promise<"end" | "cut">;
  stop(): void;
}

/** A reader of the API at `server`. */
export function apiReader({ server, token }: { readonly server: string; readonly token: string }): ApiReader {
  const authorization = { authorization: `Bearer ${token}` };
  const get = async (path: string, headers: Readonly<Record<string, string>> = authorization) => {
    const response = await fetch(`${server}${path}`, { headers });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  };
  return {
    get,
    items: async (path, pageSize = 50) => {
      const items: Json[] = [];
      let next = "";
      do {
        const { body } = await get(`${path}?limit=${pageSize}${next}`);
        items.push(...body.items);
        next = body.metadata.continue === undefined ? "" : `&continue=${body.metadata.continue}`;
      } while (next !== "");
      return items;
    },
    watch: async (path) => openWatch(`${server}${path}`, authorization),
  };
}

async function openWatch(url: string, headers: Readonly<Record<string, string>>): Promise<ApiWatch> {
  const controller = new AbortController();
  const response = await fetch(url, { headers, signal: controller.signal });
  const events: Json[] = [];
  const waiting = new Set<() => void>();
  let rest = "";
  const read = async () => {
    try {
      for await (const chunk of response.body ?? []) {
        rest += Buffer.from(chunk).toString("utf8");
        const lines = rest.split("\n");
        rest = lines.pop() ?? "";
        events.push(...lines.map(parse));
        for (const check of waiting) check();
      }
      return "end" as const;
    } catch {
      return "cut" as const;
    }
  };
  return {
    status: response.status,
    events,
    rest: () => rest,
    ended: read(),
    until: (done) => waitFor(done, waiting, () => JSON.stringify(events.slice(-3))),
    stop: () => controller.abort(),
  };
}

function waitFor(done: () => boolean, waiting: Set<() => void>, seen: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`waited 5 s; last events: ${seen().slice(0, 500)}`)), 5_000);
    const check = () => {
      if (!done()) return;
      clearTimeout(limit);
      waiting.delete(check);
      resolve();
    };
    waiting.add(check);
    check();
  });
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
