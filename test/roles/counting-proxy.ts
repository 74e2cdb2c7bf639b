import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A TCP proxy that counts what passes, both ways. */
export interface CountingProxy {
  /** `host:port` to connect to. */
  readonly address: string;
  /** Bytes since the start. */
  readonly bytes: number;
  /** Connections since the start. */
  readonly connections: number;
  stop(): void;
}

/** Passes every connection on to `host:port`, which is asked for at each. */
export async function startCountingProxy(target: () => string): Promise<CountingProxy> {
  const sockets = new Set<Socket>();
  const counted = { bytes: 0, connections: 0 };
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
  };
  const server = createServer((near) => {
    counted.connections += 1;
    const [host = "", port = ""] = target().split(":");
    const far = keep(connect(Number(port), host));
    keep(near);
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      from.on("data", (chunk: Buffer) => {
        counted.bytes += chunk.length;
      });
      from.pipe(to);
      from.on("close", () => to.destroy());
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  return {
    address: `127.0.0.1:${typeof bound === "object" ? bound?.port : 0}`,
    get bytes() {
      return counted.bytes;
    },
    get connections() {
      return counted.connections;
    },
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
