import { randomUUIDv7 } from "node:crypto";
import type { Clock } from "@plimsoll/collect";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { AuditBudget } from "../audit/audit-budget.ts";
import type { ReadJournal } from "../audit/read-journal.ts";
import type { Thing, Verb } from "../identity/access.ts";
import { type Actor, ANONYMOUS } from "../identity/actor.ts";
import type { HubLog } from "../log/hub-log.ts";
import type { ClusterScope } from "../store/cluster-scope.ts";
import type { Access, Endpoint } from "./endpoint.ts";
import { BODY_LIMIT_BYTES, fromFastify } from "./fastify-faults.ts";
import { type AddedRoute, nothingThere } from "./nothing-there.ts";
import { PROBLEM_JSON, toProblem } from "./problem.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What the route does to what. A route without it cannot be added. */
    access?: Access;
  }
  interface FastifyInstance {
    /** Every route that was added. */
    routeList: AddedRoute[];
  }
  interface FastifyRequest {
    actor: Actor;
    scope: ClusterScope;
  }
}

/** What the server works with. */
export interface ServerDeps {
  readonly clock: Clock;
  readonly log: HubLog;
  readonly actorOf: (authorization: string | undefined) => Promise<Actor>;
  /** Says about which clusters an actor may do what; throws when he may not at all. */
  readonly authorize: (actor: Actor, verb: Verb, thing: Thing) => ClusterScope;
  /** Keeps refused and failed attempts to change something. */
  readonly refusals: AuditBudget;
  /** Keeps who read costs and the audit log. */
  readonly reads: ReadJournal;
  /** Hears of every answer; `route` is the pattern. */
  readonly onAnswer: (answer: { method: string; route: string; status: number; seconds: number }) => void;
  /** Certificate and key of the port, PEM; null = plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
}

const NOBODY_SEES: ReadonlySet<string> = new Set();
const REQUEST_ID = /^[\w.:-]{1,64}$/;
const REQUEST_TIMEOUT_MS = 60_000;

/**
 * The HTTP server with its rules: request ids, who asks and may he, bodies of JSON only, problems for everything that goes
 * wrong. Routes are added by `mount`, or to the instance with an `access` of their own.
 */
export function createServer(deps: ServerDeps, endpoints: readonly Endpoint[]): FastifyInstance {
  const app = fastify({
    ...(deps.tls && { https: { ...deps.tls, minVersion: "TLSv1.2" } }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: 256 },
    requestIdHeader: false,
    genReqId: (request) => requestId(request.headers["x-request-id"]),
    forceCloseConnections: true,
    frameworkErrors: (error, request, reply) => answerProblem(deps, error, request, reply),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, app.getDefaultJsonParser("error", "error"));
  app.decorateRequest("actor");
  app.decorateRequest("scope");
  app.decorate("routeList", []);
  app.addHook("onRoute", ({ url, method, config }) => {
    const methods = [method].flat();
    if (!config?.access) throw new Error(`${methods} ${url} does not say what it does to what (config.access)`);
    for (const each of methods) app.routeList.push({ method: each, url, access: config.access });
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(HEADERS);
    reply.header("x-request-id", request.id);
    await admit(deps, request);
  });
  app.addHook("onResponse", async (request, reply) => note(deps, request, reply));
  app.setErrorHandler((error, request, reply) => answerProblem(deps, error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    answerProblem(deps, nothingThere(app.routeList, request, reply), request, reply),
  );
  for (const each of endpoints) mount(app, deps, each);
  return app;
}

const HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "content-security-policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
} as const;

function mount(app: FastifyInstance, deps: ServerDeps, each: Endpoint): void {
  const { method, path: url, access, run, status } = each;
  app.route({
    method,
    url,
    config: { access },
    handler: async (request, reply) => {
      const { params, query, body } = request;
      const by = changeBy(request);
      const answer = await run({ params, query, body }, { by, scope: request.scope, nowMs: deps.clock.now() });
      return reply.status(status).send(answer);
    },
  });
}

/** Says who asks, and refuses him what he may not, before a body is read. */
async function admit(deps: ServerDeps, request: FastifyRequest): Promise<void> {
  request.actor = ANONYMOUS;
  request.scope = NOBODY_SEES;
  request.actor = await deps.actorOf(request.headers.authorization);
  const { access } = request.routeOptions.config;
  if (!access) return;
  request.scope = deps.authorize(request.actor, access.verb, { noun: access.noun, id: thingId(request) });
}

function thingId({ params }: FastifyRequest): string | null {
  const values: unknown[] = typeof params === "object" && params !== null ? Object.values(params) : [];
  const [first] = values;
  return typeof first === "string" && first !== "" ? first.slice(0, 256) : null;
}

function changeBy(request: FastifyRequest) {
  return { actor: request.actor, requestId: request.id, address: request.ip };
}

function requestId(given: string | string[] | undefined): string {
  return typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUIDv7();
}

async function answerProblem(
  deps: ServerDeps,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const error = fromFastify(thrown, request.headers["content-type"]);
  const problem = toProblem(error, request.id);
  if (problem.code === "internal") logDefect(deps, thrown, request);
  await keepRefusal(deps, request, error);
  if (problem.status === 401) reply.header("www-authenticate", 'Bearer realm="plimsoll"');
  await reply
    .headers({ ...HEADERS, "x-request-id": request.id })
    .type(PROBLEM_JSON)
    .status(problem.status)
    .send(problem);
}

function logDefect({ log }: ServerDeps, thrown: unknown, request: FastifyRequest): void {
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  log("error", "request_failed", { requestId: request.id, route: request.routeOptions?.url ?? "", stack });
}

async function keepRefusal(deps: ServerDeps, request: FastifyRequest, error: unknown): Promise<void> {
  const access = request.routeOptions?.config?.access;
  if (!access || access.verb === "read" || access.verb === "list") return;
  const change = { verb: access.verb, noun: access.noun, id: thingId(request) };
  await deps.refusals.keep(changeBy(request), change, error);
}

function note(deps: ServerDeps, request: FastifyRequest, reply: FastifyReply): void {
  const [route, seconds] = [request.routeOptions.url ?? "none", reply.elapsedTime / 1000];
  deps.onAnswer({ method: request.method, route, status: reply.statusCode, seconds });
  const fields = { requestId: request.id, method: request.method, route, status: reply.statusCode };
  const { access } = request.routeOptions.config;
  if (access && reply.statusCode < 300) void deps.reads.keep(changeBy(request), { ...access, url: request.url });
  if (reply.statusCode >= 500) deps.log("warn", "request_answered", { ...fields, seconds });
}
