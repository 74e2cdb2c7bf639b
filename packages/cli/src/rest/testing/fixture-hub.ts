import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SAMPLE_COST, SAMPLE_DETAILS, SAMPLE_LIST, SAMPLE_NAMESPACES, SAMPLE_NODES } from "./sample-fleet.ts";

/** One request as it came. */
interface SeenRequest {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** A server that answers as a hub would, from fixed answers. */
export interface FixtureHub {
  readonly url: string;
  readonly seen: SeenRequest[];
  /** Answers `path` (without query) with this from now on, in this order; the last one stays. */
  answer(path: string, ...answers: FixtureAnswer[]): void;
  close(): Promise<void>;
}

/** Status 200 and JSON unless said otherwise; `body` as text goes out to the letter. `never`: no answer comes at all. */
export type FixtureAnswer = { readonly status?: number; readonly body: unknown } | "never";

export const FIXTURE_TOKEN = "pla1.fixture";

/** Starts it on a free port of this machine, with the answers of the sample. */
export async function startFixtureHub(): Promise<FixtureHub> {
  const seen: SeenRequest[] = [];
  const answers = new Map<string, FixtureAnswer[]>([
    ["/api/v1/clusters", [{ body: SAMPLE_LIST }]],
    ["/api/v1/clusters/shop-prod-fra-01", [{ body: SAMPLE_DETAILS[0] }]],
    ["/api/v1/nodes", [{ body: SAMPLE_NODES }]],
    ["/api/v1/namespaces", [{ body: SAMPLE_NAMESPACES }]],
    ["/api/v1/cost", [{ body: SAMPLE_COST }]],
  ]);
  const server = createServer((request, response) => {
    void serve(request, response, answers, seen);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    seen,
    answer: (path, ...given) => void answers.set(path, given),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answers: Map<string, FixtureAnswer[]>,
  seen: SeenRequest[],
): Promise<void> {
  const { method = "", url = "", headers } = request;
  seen.push({ method, url, authorization: headers.authorization, body: await text(request) });
  const queue = answers.get(url.split("?")[0] ?? "") ?? [problem(404, "route_unknown")];
  const answer = queue.length > 1 ? queue.shift() : queue[0];
  if (answer === undefined || answer === "never") return;
  response.writeHead(answer.status ?? 200, { "content-type": "application/json" });
  response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
}

/** A problem+json answer. */
export function problem(status: number, code: string): FixtureAnswer {
  const body = {
    type: `urn:${code}`,
    title: code,
    status,
    detail: `said by the hub`,
    code,
    remedy: "do this",
    requestId: "req-1",
  };
  return { status, body };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}
