import { createServer } from "node:net";

/** A server that takes connections and never says a word. */
export interface SilentServer {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  /** Resolves when the next connection stands; never for earlier ones. */
  connected(): Promise<void>;
  close(): Promise<void>;
}

/** Starts one on a free port of the loopback. */
export async function silentServer(): Promise<SilentServer> {
  const sockets = new Set<{ destroy(): void }>();
  let waiting: (() => void)[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    for (const wake of waiting) wake();
    waiting = [];
  });
  await new Promise<void>((done, reject) => server.once("error", reject).listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port for the silent server");
  return {
    url: `http://127.0.0.1:${address.port}`,
    connected: () => new Promise((wake) => waiting.push(wake)),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
