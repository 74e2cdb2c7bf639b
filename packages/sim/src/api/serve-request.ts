import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestVerb } from "../faults/fault-box.ts";
import { sendFailure, sendJson, sendText, sendUnknownPath } from "./answer.ts";
import { answerList } from "./answer-list.ts";
import { answerWatch } from "./answer-watch.ts";
import { ApiFailure, notFound } from "./api-status.ts";
import { discoveryDocument } from "./discovery.ts";
import { isWatch, parseListOptions, revisionOf } from "./list-options.ts";
import { listPage } from "./list-page.ts";
import { nodeMetrics, podMetrics } from "./metrics-document.ts";
import { formOf } from "./object-form.ts";
import { parseRoute, type Route, verbOf } from "./route.ts";
import { matcherOf } from "./selectors.ts";
import type { ServedCluster } from "./served-cluster.ts";
import { versionDocument } from "./version-document.ts";

/** One request to one cluster; `path` is without the cluster's prefix. */
interface ClusterRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly route: Route;
  readonly verb: RequestVerb;
  readonly accept: string | undefined;
}

type RouteTo<T extends Route["to"]> = Extract<Route, { to: T }>;

/** Answers one request to a cluster: sign-in, faults, ailments, then what the path asks for. */
export function serveRequest(
  cluster: ServedCluster,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const route = parseRoute(url.pathname);
  const verb = verbOf(route, isWatch(url.searchParams));
  const asked = { path: url.pathname, query: url.searchParams, route, verb, accept: request.headers.accept };
  cluster.count(`${verb} ${subjectOf(route, url.pathname)}`);
  const answer = () => answerOrFail(cluster, asked, request, response);
  const late = cluster.faults.take(["delay"], verb, url.pathname);
  const delayMs = (late?.delayMs ?? 0) + cluster.answerDelayMs();
  if (delayMs === 0) answer();
  else {
    const cancel = cluster.clock.setTimer(delayMs, answer);
    response.on("close", cancel);
  }
}

function answerOrFail(
  cluster: ServedCluster,
  asked: ClusterRequest,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  try {
    if (cluster.faults.take(["refuse"], asked.verb, asked.path)) {
      response.destroy();
      return;
    }
    refuseIfAiling(cluster, asked);
    signIn(cluster, asked.route, request);
    if (request.method !== "GET") throw new ApiFailure(405, "a simulated cluster can only be read");
    answerRoute(cluster, asked, response);
  } catch (error) {
    if (response.headersSent) response.destroy();
    else if (error instanceof ApiFailure) sendFailure(response, error);
    else sendFailure(response, new ApiFailure(500, error instanceof Error ? error.message : String(error)));
  }
}

/** Errors on order, and the outages of sick clusters, hit before anybody looks at the token. */
function refuseIfAiling(cluster: ServedCluster, { verb, path }: ClusterRequest): void {
  const fault = cluster.faults.take(["answer"], verb, path);
  if (fault !== undefined) {
    const message = fault.status === 429 ? "too many requests, please try again later" : "on order of a test";
    throw new ApiFailure(fault.status, message, {}, fault.retryAfterSeconds);
  }
  if (cluster.isOut()) throw new ApiFailure(503, "the server is currently unable to handle the request");
}

/** Version and health are for everybody who shows no token; a wrong token is refused everywhere. */
function signIn(cluster: ServedCluster, route: Route, request: IncomingMessage): void {
  const header = request.headers.authorization;
  if (header === undefined && (route.to === "version" || route.to === "health")) return;
  if (header === undefined && cluster.token === "") return;
  if (header !== `Bearer ${cluster.token}`) throw new ApiFailure(401, "Unauthorized");
}

function answerRoute(cluster: ServedCluster, asked: ClusterRequest, response: ServerResponse): void {
  const { route, query } = asked;
  if (route.to === "version") sendJson(response, versionDocument(cluster.plan.release));
  else if (route.to === "health")
    sendText(response, query.has("verbose") ? `[+]ping ok\n${route.check} passed\n` : "ok");
  else if (route.to === "discovery") answerDiscovery(cluster, route.path, response);
  else if (route.to === "metrics") answerMetrics(cluster, query, route, response);
  else if (route.to === "nothing") answerNothing(route.inKnownGroup, response);
  else if (route.name !== "") answerObject(cluster, asked, route, response);
  else answerObjects(cluster, asked, route, response);
}

/** Inside a group that the API has, a refusal is a Status; elsewhere it is plain text. */
function answerNothing(inKnownGroup: boolean, response: ServerResponse): void {
  if (inKnownGroup) throw new ApiFailure(404, "the server could not find the requested resource", { details: {} });
  sendUnknownPath(response);
}

function answerDiscovery(cluster: ServedCluster, path: string, response: ServerResponse): void {
  const document = discoveryDocument(path, servesMetrics(cluster));
  if (document === undefined) sendUnknownPath(response);
  else sendJson(response, document);
}

function answerMetrics(
  cluster: ServedCluster,
  query: URLSearchParams,
  { resource, namespace, name }: RouteTo<"metrics">,
  response: ServerResponse,
): void {
  if (!servesMetrics(cluster)) {
    sendUnknownPath(response);
    return;
  }
  const options = parseListOptions(query);
  const matches = matcherOf(namespace, options.labelSelector, options.fieldSelector);
  const document = resource === "nodes" ? nodeMetrics : podMetrics;
  sendJson(response, document(cluster.world(), matches, name));
}

function answerObject(
  cluster: ServedCluster,
  { accept }: ClusterRequest,
  { kind, namespace, name }: RouteTo<"objects">,
  response: ServerResponse,
): void {
  const form = formOf(accept, kind, cluster.plan.cloud);
  const entry = cluster.world().store.get(kind.resource, namespace, name);
  if (entry === undefined) throw notFound(kind.resource, kind.group, name);
  sendJson(response, form.alone(entry));
}

function answerObjects(
  cluster: ServedCluster,
  { path, query, verb, accept }: ClusterRequest,
  { kind, namespace }: RouteTo<"objects">,
  response: ServerResponse,
): void {
  const form = formOf(accept, kind, cluster.plan.cloud);
  const options = parseListOptions(query);
  const matches = matcherOf(namespace, options.labelSelector, options.fieldSelector);
  // A bad revision is refused before a stream begins.
  revisionOf(options);
  if (verb === "watch") {
    answerWatch(cluster, response, { kind, path, options }, form, matches);
    return;
  }
  const page = listPage(cluster.world().store, kind, options, matches);
  const fate = cluster.faults.take(["cut", "silence"], "list", path)?.does ?? "whole";
  answerList(response, page, form, fate);
}

function servesMetrics({ plan }: ServedCluster): boolean {
  return plan.sickness !== "no-metrics";
}

function subjectOf(route: Route, path: string): string {
  if (route.to === "objects") return route.kind.resource;
  if (route.to === "metrics") return `${route.resource}.metrics.k8s.io`;
  return route.to === "nothing" ? "unknown path" : path;
}
