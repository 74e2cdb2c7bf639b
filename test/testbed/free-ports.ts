import { createServer } from "node:net";

/** Below the range that systems hand out for outgoing connections, so that no connection takes a port between check and use. */
const FIRST = 20_000;
const COUNT = 12_000;

/** `count` different ports of 127.0.0.1 that nobody listens on at this moment. Another process may still be quicker. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  for (let attempt = 0; ports.size < count; attempt++) {
    if (attempt > 1000) throw new Error("no free port between 20000 and 31999 on 127.0.0.1");
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}
