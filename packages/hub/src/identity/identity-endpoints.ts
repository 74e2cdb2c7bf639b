import { PlimsollError } from "@plimsoll/contracts";
import {
  AccessReview,
  CanI,
  CanIQuery,
  ServiceTokenAnswer,
  ServiceTokenList,
  ServiceTokenPath,
  ServiceTokenRequest,
  WhoAmI,
  Withdrawn,
} from "@plimsoll/contracts/rest";
import type { z } from "zod";
import { type Endpoint, endpoint, type RequestContext } from "../api/endpoint.ts";
import type { Registry } from "../inventory/registry.ts";
import { inScope } from "../store/cluster-scope.ts";
import { NOUNS, type Noun, VERBS, type Verb } from "./access.ts";
import { actorName } from "./actor.ts";
import { authorize, grantsOf, policyOf, type SelectClusters } from "./authorize.ts";
import type { ServiceToken, ServiceTokens } from "./service-tokens.ts";
import { rightsOf } from "./who-may.ts";

/** What questions about identity are answered from. */
export interface IdentityDeps {
  readonly tokens: ServiceTokens;
  readonly registry: Registry;
  readonly select: SelectClusters;
}

/** Who am I, what may I do, who may do what; and the tokens of programs. */
export function identityEndpoints(deps: IdentityDeps): readonly Endpoint[] {
  return [...questions(deps), ...tokenEndpoints(deps)];
}

function questions(deps: IdentityDeps): readonly Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/api/v1/whoami",
      access: { verb: "read", noun: "whoami" },
      summary: "Who asks, with which roles, and all that they allow",
      params: null,
      query: null,
      body: null,
      answer: WhoAmI,
      handle: (_, { by: { actor } }) => ({
        actor: actorName(actor),
        grants: [...grantsOf(actor)],
        may: rightsOf(actor).map(({ selectors, ...right }) => ({ ...right, selectors: selectors && [...selectors] })),
      }),
    }),
    endpoint({
      method: "GET",
      path: "/api/v1/can-i",
      access: { verb: "read", noun: "whoami" },
      summary: "May the asker do this, to this cluster?",
      params: null,
      query: CanIQuery,
      body: null,
      answer: CanI,
      handle: ({ query }, context) => canI(deps, query, context),
    }),
    endpoint({
      method: "GET",
      path: "/api/v1/access-review",
      access: { verb: "list", noun: "whoami" },
      summary: "Who may do what: everybody with a role, and when it was used last",
      params: null,
      query: null,
      body: null,
      answer: AccessReview,
      handle: async (_, { nowMs }) => ({
        items: [
          { actor: "admin", grants: [...grantsOf({ kind: "admin" })], expiresAt: null, lastUsedAt: null },
          ...(await deps.tokens.list()).map((token) => ({
            actor: actorName({ kind: "token", ...token }),
            grants: [...token.grants],
            expiresAt: instant(token.expiresAtMs),
            lastUsedAt: token.lastUsedAtMs === null ? null : instant(token.lastUsedAtMs),
          })),
        ],
        asOf: instant(nowMs),
      }),
    }),
  ];
}

function tokenEndpoints({ tokens }: IdentityDeps): readonly Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/api/v1/service-tokens",
      access: { verb: "list", noun: "service-token" },
      summary: "Tokens of programs, without their texts",
      params: null,
      query: null,
      body: null,
      answer: ServiceTokenList,
      handle: async (_, { nowMs }) => ({ items: (await tokens.list()).map(present), asOf: instant(nowMs) }),
    }),
    endpoint({
      method: "POST",
      path: "/api/v1/service-tokens",
      access: { verb: "create", noun: "service-token" },
      summary: "Makes a token for a program; its text is in this answer and nowhere else",
      params: null,
      query: null,
      body: ServiceTokenRequest,
      answer: ServiceTokenAnswer,
      status: 201,
      handle: async ({ body }, { by, nowMs }) => {
        const { text, ...token } = await tokens.create(body, by, nowMs);
        return { ...present(token), token: text };
      },
    }),
    endpoint({
      method: "POST",
      path: "/api/v1/service-tokens/:token/withdraw",
      access: { verb: "delete", noun: "service-token" },
      summary: "From the next request on the token is nobody's",
      params: ServiceTokenPath,
      query: null,
      body: null,
      answer: Withdrawn,
      handle: async ({ params }, { by, nowMs }) => {
        await tokens.withdraw(params.token, by, nowMs);
        return { name: params.token };
      },
    }),
  ];
}

function present(token: ServiceToken) {
  const { name, grants, createdBy, createdAtMs, expiresAtMs, lastUsedAtMs } = token;
  return {
    name,
    grants: [...grants],
    createdBy,
    createdAt: instant(createdAtMs),
    expiresAt: instant(expiresAtMs),
    lastUsedAt: lastUsedAtMs === null ? null : instant(lastUsedAtMs),
  };
}

function canI(
  { registry, select }: IdentityDeps,
  { verb, thing, cluster }: z.output<typeof CanIQuery>,
  { by: { actor } }: RequestContext,
): z.input<typeof CanI> {
  const asked = { verb: oneOf("verb", verb, VERBS), noun: oneOf("thing", thing, NOUNS) };
  if (policyOf(asked.noun).anyone?.includes(asked.verb)) return { allowed: true, reason: "everybody may" };
  try {
    const scope = authorize(actor, asked.verb, { noun: asked.noun, id: cluster ?? null }, select);
    if (cluster === undefined)
      return { allowed: true, reason: scope === "all" ? "on the whole fleet" : "on some clusters" };
    const found = registry.list(scope).find(({ id, name }) => id === cluster || name === cluster);
    // A cluster outside of the scope is answered as one that does not exist.
    if (found && inScope(scope, found.id)) return { allowed: true, reason: `on ${found.name}` };
    return { allowed: false, reason: `no cluster ${cluster.slice(0, 128)} among those of the role` };
  } catch (error) {
    if (error instanceof PlimsollError && error.code === "forbidden") return { allowed: false, reason: error.message };
    throw error;
  }
}

function oneOf<T extends Verb | Noun>(field: string, value: string, known: readonly T[]): T {
  const found = known.find((each) => each === value);
  if (found !== undefined) return found;
  const fields = { field, value: value.slice(0, 80), expected: `one of ${known.join(", ")}` };
  throw new PlimsollError("parameter_invalid", fields);
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
