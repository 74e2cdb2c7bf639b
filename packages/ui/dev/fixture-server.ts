import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  ClusterList,
  ClusterQuery,
  ClusterView,
  NodeList,
  Overview,
  PartQuery,
  Problem,
} from "@plimsoll/contracts/rest";
import type { z } from "zod";
import { filterClusters } from "./filter-clusters.ts";
import { inventedCluster } from "./invented-cluster.ts";
import { inventedNodes } from "./invented-nodes.ts";
import { overviewOf } from "./invented-overview.ts";
import { DIST } from "./page-sizes.ts";
import { servePage } from "./serve-page.ts";

/** What a fixture server starts with. */
export interface FixtureSettings {
  readonly port?: number;
  /** Clusters of the invented fleet. */
  readonly clusters: number;
  readonly simulated?: boolean;
  readonly token?: string;
  /** Folder of the built page. */
  readonly pageDir?: string;
}

/** A problem that every request to a path gets, until it is taken back. */
interface Failure {
  readonly path: string;
  readonly status: number;
  readonly code: string;
}

/** A hub's API and page without a hub: contract-valid answers about an invented fleet. */
export interface FixtureServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly token: string;
  /** Address that opens the page signed in. */
  readonly signInLink: string;
  /** The fleet has so many clusters from now on. */
  setClusters(count: number): void;
  /** Clusters that lists lack from now on. */
  setErrors(errors: FleetErrors): void;
  /** Fails from now on, or no longer (`null`). */
  setFailure(failure: Failure | null): void;
  stop(): Promise<void>;
}

type FleetErrors = z.infer<typeof ClusterList>["errors"];

interface State {
  clusters: number;
  errors: FleetErrors;
  failure: Failure | null;
  requests: number;
}

/** Starts the server on loopback. Answers that break the contract fail loudly: the schemas check each one. */
export async function startFixtureServer(settings: FixtureSettings): Promise<FixtureServer> {
  const { token = "fixture-token", simulated = false, pageDir = DIST } = settings;
  const state: State = { clusters: settings.clusters, errors: [], failure: null, requests: 0 };
  const server = createServer((request, response) => {
    if (!request.url?.startsWith("/api/")) {
      void servePage(pageDir, new URL(request.url ?? "/", "http://fixture").pathname, response);
      return;
    }
    answer(request, response, state, token, simulated).catch((thrown: unknown) => {
      console.error(thrown);
      response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(settings.port ?? 0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return {
    url,
    token,
    signInLink: `${url}/#token=${token}`,
    setClusters: (count) => {
      state.clusters = count;
    },
    setErrors: (errors) => {
      state.errors = errors;
    },
    setFailure: (failure) => {
      state.failure = failure;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  state: State,
  token: string,
  simulated: boolean,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://fixture");
  state.requests += 1;
  const requestId = `fixture-${state.requests}`;
  const refuse = (status: number, code: string, detail: string) =>
    sendProblem(response, { status, code, detail, requestId });
  if (request.headers.authorization !== `Bearer ${token}`) return refuse(401, "unauthorized", "The token is not known");
  const { failure } = state;
  if (failure !== null && url.pathname.startsWith(failure.path)) {
    return refuse(failure.status, failure.code, `GET ${url.pathname} fails because the fixture was told so`);
  }
  const body = apiAnswer(url, state, Date.now(), simulated);
  if (body === null) return refuse(404, "not_found", `There is no ${url.pathname}`);
  response.writeHead(200, { "content-type": "application/json", "x-request-id": requestId });
  response.end(JSON.stringify(body));
}

function sendProblem(
  response: ServerResponse,
  facts: { status: number; code: string; detail: string; requestId: string },
): void {
  const problem = Problem.parse({
    type: `https://plimsoll.dev/errors/${facts.code}`,
    title: facts.status === 401 ? "Not signed in" : "The hub cannot answer this",
    remedy: "Take the failure back in the fixture server",
    ...facts,
  });
  response.writeHead(facts.status, { "content-type": "application/problem+json", "x-request-id": facts.requestId });
  response.end(JSON.stringify(problem));
}

/** The body for a path, or null where there is none. */
function apiAnswer(url: URL, { clusters: count, errors }: State, nowMs: number, simulated: boolean): unknown {
  const fleet = () => Array.from({ length: count }, (_, index) => inventedCluster(index, nowMs, simulated));
  const query = Object.fromEntries(url.searchParams);
  const path = url.pathname.replace("/api/v1/", "");
  if (path === "overview") return Overview.parse(overviewOf(fleet(), nowMs, simulated));
  if (path === "clusters") {
    const asked = ClusterQuery.parse(query);
    return ClusterList.parse({ ...page(filterClusters(fleet(), asked), asked, nowMs), errors });
  }
  if (path === "nodes") {
    const asked = PartQuery.parse(query);
    const cluster = fleet().find(({ id }) => id === asked.cluster);
    return NodeList.parse(page(cluster ? inventedNodes(cluster) : [], asked, nowMs));
  }
  const one = fleet().find(({ id }) => path === `clusters/${id}`);
  return one === undefined ? null : ClusterView.parse(one);
}

function page<T>(items: readonly T[], query: z.infer<typeof PartQuery>, nowMs: number) {
  const from = query.cursor === undefined ? 0 : Number(Buffer.from(query.cursor, "base64url").toString());
  const to = from + query.limit;
  return {
    items: items.slice(from, to),
    errors: [],
    asOf: new Date(nowMs).toISOString(),
    next: to < items.length ? Buffer.from(String(to)).toString("base64url") : null,
    total: items.length,
  };
}
