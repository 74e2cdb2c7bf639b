import http from "node:http";
import https from "node:https";
import type { AddressInfo, Socket } from "node:net";

/** One request that came through, in order. */
interface ProxiedRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly isWatch: boolean;
}

type Kind = "list" | "watch";

/** Stands between a client and an API server and breaks things on purpose. Each fault counts how often it fired. */
export interface FaultProxy {
  readonly url: string;
  readonly requests: readonly ProxiedRequest[];
  /** Faults that fired so far: a test whose fault never fired proves nothing. */
  readonly fired: Readonly<Record<"busy" | "cut" | "refused" | "stalled" | "held", number>>;
  /** The next `times` requests of `kind` get 429 with this Retry-After. */
  busy(kind: Kind, times: number, retryAfterSeconds: number): void;
  /** The next event of every running watch is sent by half, then its connection is cut. */
  cutInsideNextEvent(): void;
  /** While on: running connections are cut and new ones end without an answer. */
  refuse(on: boolean): void;
  /** Running watches go silent for good; their connections stay open. */
  stallWatches(): void;
  /** Runs `action` before the next request that `matches` is passed on. */
  beforeNext(matches: (request: ProxiedRequest) => boolean, action: () => Promise<void>): void;
  close(): Promise<void>;
}

/** Starts a proxy on a free port of 127.0.0.1: plain HTTP in, `target` (with its CA) out; headers pass unchanged. */
export async function startFaultProxy(target: string, ca?: string): Promise<FaultProxy> {
  const requests: ProxiedRequest[] = [];
  const fired = { busy: 0, cut: 0, refused: 0, stalled: 0, held: 0 };
  const busy: Record<Kind, { times: number; seconds: number }> = {
    list: { times: 0, seconds: 0 },
    watch: { times: 0, seconds: 0 },
  };
  const watches = new Set<Watch>();
  const sockets = new Set<Socket>();
  let refusing = false;
  let held: { matches: (request: ProxiedRequest) => boolean; action: () => Promise<void> } | undefined;
  const send = target.startsWith("https:") ? https.request : http.request;
  const agent = target.startsWith("https:") ? new https.Agent({ ca, keepAlive: true }) : new http.Agent();

  const server = http.createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", target);
    const seen = { path: url.pathname, query: url.searchParams, isWatch: url.searchParams.has("watch") };
    requests.push(seen);
    if (refusing) {
      fired.refused += 1;
      return response.destroy();
    }
    const limit = busy[seen.isWatch ? "watch" : "list"];
    if (limit.times > 0) {
      limit.times -= 1;
      fired.busy += 1;
      const body = JSON.stringify({ kind: "Status", code: 429, message: "too many requests" });
      return response.writeHead(429, { "retry-after": String(limit.seconds) }).end(body);
    }
    if (held?.matches(seen)) {
      const { action } = held;
      held = undefined;
      fired.held += 1;
      await action();
    }
    const upstream = send(url, { method: request.method, headers: request.headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (seen.isWatch) watches.add(watch(answer, response, watches));
      else answer.pipe(response);
    });
    upstream.on("error", () => response.destroy());
    response.on("close", () => upstream.destroy());
    upstream.end();
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    fired,
    busy: (kind, times, seconds) => {
      busy[kind] = { times, seconds };
    },
    cutInsideNextEvent: () => {
      for (const item of watches) item.cutNext(() => (fired.cut += 1));
    },
    refuse: (on) => {
      refusing = on;
      if (on) for (const socket of sockets) socket.destroy();
    },
    stallWatches: () => {
      for (const item of watches) item.stall();
      fired.stalled += watches.size;
    },
    beforeNext: (matches, action) => {
      held = { matches, action };
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      agent.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface Watch {
  cutNext(onCut: () => void): void;
  stall(): void;
}

/** Passes the bytes of a watch on, until told to cut inside the next ones or to keep them. */
function watch(answer: http.IncomingMessage, response: http.ServerResponse, all: Set<Watch>): Watch {
  let onCut: (() => void) | undefined;
  let stalled = false;
  response.flushHeaders();
  answer.on("data", (chunk: Buffer) => {
    if (stalled) return;
    if (!onCut) return response.write(chunk);
    onCut();
    response.write(chunk.subarray(0, Math.floor(chunk.length / 2)), () => response.destroy());
    stalled = true;
  });
  answer.on("end", () => stalled || response.end()).on("error", () => response.destroy());
  const self: Watch = {
    cutNext: (fired) => {
      onCut = fired;
    },
    stall: () => {
      stalled = true;
    },
  };
  response.on("close", () => all.delete(self));
  return self;
}
