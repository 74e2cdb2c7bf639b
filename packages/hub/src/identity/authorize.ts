import { PlimsollError } from "@plimsoll/contracts";
import type { ClusterScope } from "../store/cluster-scope.ts";
import type { Noun, Policy, Thing, Verb } from "./access.ts";
import { type Actor, actorName } from "./actor.ts";
import { auditPolicy } from "./policies/audit-policy.ts";
import { clusterPolicy } from "./policies/cluster-policy.ts";
import { costPolicy } from "./policies/cost-policy.ts";
import { joinTokenPolicy } from "./policies/join-token-policy.ts";
import { openPolicy } from "./policies/open-policy.ts";
import { policyPolicy } from "./policies/policy-policy.ts";
import { quarantinePolicy } from "./policies/quarantine-policy.ts";
import { serviceTokenPolicy } from "./policies/service-token-policy.ts";
import { streamPolicy } from "./policies/stream-policy.ts";
import { whoamiPolicy } from "./policies/whoami-policy.ts";
import type { Grant } from "./roles.ts";

const POLICIES: Readonly<Record<Noun, Policy>> = {
  audit: auditPolicy,
  cluster: clusterPolicy,
  cost: costPolicy,
  health: openPolicy,
  "join-token": joinTokenPolicy,
  metrics: openPolicy,
  page: openPolicy,
  policy: policyPolicy,
  quarantine: quarantinePolicy,
  schema: openPolicy,
  "service-token": serviceTokenPolicy,
  stream: streamPolicy,
  whoami: whoamiPolicy,
};

/** Ids of the clusters that a selector of a grant is about, now. */
export type SelectClusters = (selector: string) => ReadonlySet<string>;

const NO_CLUSTER: ReadonlySet<string> = new Set();

/**
 * May `actor` do it, and about which clusters? Everything is denied that no policy allows. Throws `unauthenticated` when
 * nobody asks, else `forbidden`.
 */
export function authorize(actor: Actor, verb: Verb, thing: Thing, select: SelectClusters): ClusterScope {
  const policy = POLICIES[thing.noun];
  if (policy.anyone?.includes(verb)) return NO_CLUSTER;
  if (actor.kind === "anonymous") throw new PlimsollError("unauthenticated");
  if (actor.kind === "hub" && policy.hub?.includes(verb)) return "all";
  const grants = grantsOf(actor).filter((grant) => allows(policy, verb, grant));
  if (grants.length === 0) {
    throw new PlimsollError("forbidden", { actor: actorName(actor), verb, thing: describeThing(thing) });
  }
  return union(grants, select);
}

/** Does a grant let its holder do it, at least to some clusters? */
export function allows({ roles, wholeFleet }: Policy, verb: Verb, { role, selector }: Grant): boolean {
  const named = roles[verb];
  if (named === undefined || (role !== "admin" && !named.includes(role))) return false;
  return selector === null || !wholeFleet?.includes(verb);
}

/** The policy of a kind of things. */
export function policyOf(noun: Noun): Policy {
  return POLICIES[noun];
}

const EVERYTHING: readonly Grant[] = [{ role: "admin", selector: null }];

/** The roles that an actor holds. */
export function grantsOf(actor: Actor): readonly Grant[] {
  if (actor.kind === "admin") return EVERYTHING;
  return actor.kind === "user" || actor.kind === "token" ? actor.grants : [];
}

function union(grants: readonly Grant[], select: SelectClusters): ClusterScope {
  const seen = new Set<string>();
  for (const { selector } of grants) {
    if (selector === null) return "all";
    for (const id of select(selector)) seen.add(id);
  }
  return seen;
}

/** `cluster prod-eu`, or the kind alone. */
function describeThing({ noun, id }: Thing): string {
  return id === null ? noun : `${noun} ${id}`;
}
