import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { sendText, sendUnknownPath } from "./answer.ts";
import { serveRequest } from "./serve-request.ts";
import type { ServedCluster } from "./served-cluster.ts";

/** Hundreds of agents may connect in one moment. */
const BACKLOG = 4_096;
/** Longer than clients keep idle connections: they close first, and no request meets a closing socket. */
const KEEP_ALIVE_MS = 90_000;
const PREFIX = /^\/clusters\/([^/]+)(\/.*)?$/;

/** One HTTP server for all clusters, each under /clusters/NAME. */
export interface FleetServer {
  readonly port: number;
  /** Closes every connection. */
  close(): Promise<void>;
}

/** Listens on `host`:`port` (0 = any free one); rejects when the port is taken. */
export async function listen(
  clusters: ReadonlyMap<string, ServedCluster>,
  host: string,
  port: number,
): Promise<FleetServer> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    route(clusters, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return { port: portOf(server), close: () => close(server) };
}

function route(clusters: ReadonlyMap<string, ServedCluster>, request: IncomingMessage, response: ServerResponse): void {
  // A client that goes away in the middle is normal here.
  response.on("error", () => undefined);
  const url = URL.parse(request.url ?? "/", "http://simulator");
  const { cluster, path } = target(clusters, url?.pathname ?? "");
  if (url !== null && cluster !== undefined) {
    url.pathname = path;
    serveRequest(cluster, url, request, response);
  } else if (url?.pathname === "/") sendText(response, fleetPage(clusters));
  else sendUnknownPath(response);
}

/** The cluster of a path and the rest of it. A lone cluster is at the root too, where tools expect an API. */
function target(clusters: ReadonlyMap<string, ServedCluster>, pathname: string) {
  const [, name = "", path = "/"] = PREFIX.exec(pathname) ?? [];
  const cluster = clusters.get(name);
  const [only] = clusters.size === 1 && pathname !== "/" ? clusters.values() : [];
  return cluster === undefined ? { cluster: only, path: pathname } : { cluster, path };
}

/** For a person who opens the address: what this is. */
function fleetPage(clusters: ReadonlyMap<string, ServedCluster>): string {
  const names = [...clusters.keys()].map((name) => `/clusters/${name}`);
  return `Simulated Kubernetes clusters of Plimsoll. None of them is real.\n\n${names.join("\n")}\n`;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
