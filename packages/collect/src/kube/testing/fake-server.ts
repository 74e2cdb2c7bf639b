import http from "node:http";
import https from "node:https";
import type { AddressInfo, Socket } from "node:net";

/** Answers one request of a test. */
export type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** An HTTP server in this process, on a free port of 127.0.0.1, that answers as a test says. */
export interface FakeServer {
  readonly url: string;
  readonly port: number;
  /** What was asked, in order: path with query. */
  readonly asked: readonly string[];
  /** Headers of each request. */
  readonly headers: readonly http.IncomingHttpHeaders[];
  close(): Promise<void>;
}

/** Starts one; every request is answered by `answer`. With `tls` it speaks HTTPS. */
export async function startFakeServer(answer: Answer, tls?: https.ServerOptions): Promise<FakeServer> {
  const asked: string[] = [];
  const headers: http.IncomingHttpHeaders[] = [];
  const sockets = new Set<Socket>();
  const onRequest: http.RequestListener = (request, response) => {
    asked.push(request.url ?? "");
    headers.push(request.headers);
    answer(request, response);
  };
  const server = tls ? https.createServer(tls, onRequest) : http.createServer(onRequest);
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    port,
    asked,
    headers,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** An answer with a JSON body. */
export function json(body: unknown, status = 200, headers: http.OutgoingHttpHeaders = {}): Answer {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
}

/** Each request gets the next answer; the last one stays. */
export function inTurn(...answers: readonly Answer[]): Answer {
  let turn = 0;
  return (request, response) => {
    const answer = answers[Math.min(turn, answers.length - 1)];
    turn += 1;
    answer?.(request, response);
  };
}
