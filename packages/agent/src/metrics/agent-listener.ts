import { createServer, type ServerResponse } from "node:http";
import { PlimsollError } from "@plimsoll/contracts";
import type { AgentHandle, AgentStatus } from "../agent.ts";
import { METRIC_TEXT_TYPE } from "./metric-text.ts";

/** An agent's port for probes and scrapers. */
export interface AgentListener {
  readonly port: number;
  close(): Promise<void>;
}

/** A scraper that reads nothing is given up. */
const REQUEST_MS = 10_000;

/**
 * Serves `/metrics`, `/livez` and `/readyz` of an agent at `host:port` (`:9464` = on every address; port 0 = any free one).
 * They name no pod and no secret, so they ask for no token. Throws `agent_address_unusable`.
 */
export async function listenForProbes(
  agent: Pick<AgentHandle, "status" | "metrics">,
  address: string,
): Promise<AgentListener> {
  const { host, port } = parseAddress(address);
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://agent").pathname;
    if (request.method !== "GET" && request.method !== "HEAD") return answer(response, 405, "only GET\n");
    if (path === "/metrics") return answer(response, 200, agent.metrics(), METRIC_TEXT_TYPE);
    if (path === "/livez") return answerCheck(response, liveness(agent.status()));
    if (path === "/readyz") return answerCheck(response, readiness(agent.status()));
    return answer(response, 404, "there are /metrics, /livez and /readyz\n");
  });
  server.requestTimeout = REQUEST_MS;
  server.headersTimeout = REQUEST_MS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) =>
      reject(new PlimsollError("agent_address_unusable", { address, reason: cause.code ?? cause.message }, { cause })),
    );
    server.listen({ host, port }, resolve);
  });
  const bound = server.address();
  return {
    port: typeof bound === "object" && bound !== null ? bound.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Why it is not alive, that is why a restart would help; null = it is. */
function liveness({ live, state, lastTickEndedMs }: AgentStatus): string | null {
  if (live) return null;
  return state === "running" || state === "joining"
    ? `the last tick ended ${lastTickEndedMs === null ? "never" : new Date(lastTickEndedMs).toISOString()}`
    : `the agent is over: ${state}`;
}

/** Why it has no data to report yet; null = it has. */
function readiness({ ready, state }: AgentStatus): string | null {
  if (ready) return null;
  return state === "joining" ? "it has not joined yet" : "nodes and pods have not been read yet";
}

function answerCheck(response: ServerResponse, fault: string | null): void {
  answer(response, fault === null ? 200 : 503, fault === null ? "ok\n" : `${fault}\n`);
}

function answer(response: ServerResponse, status: number, body: string, type = "text/plain; charset=utf-8"): void {
  response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
}

function parseAddress(address: string): { readonly host: string | undefined; readonly port: number } {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(address);
  const port = Number(match?.[3]);
  if (!match || port > 65_535) {
    throw new PlimsollError("agent_address_unusable", { address, reason: "it is not host:port" });
  }
  return { host: match[1] ?? (match[2] || undefined), port };
}
