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
import { streamPolicy } from "./policies/stream-policy.ts";

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
  stream: streamPolicy,
};

/** May `actor` do it, and about which clusters? Throws `unauthenticated` when nobody asks, else `forbidden`. */
export function authorize(actor: Actor, verb: Verb, thing: Thing): ClusterScope {
  const scope = POLICIES[thing.noun](actor, verb, thing);
  if (scope !== null) return scope;
  if (actor.kind === "anonymous") throw new PlimsollError("unauthenticated");
  throw new PlimsollError("forbidden", { actor: actorName(actor), verb, thing: describeThing(thing) });
}

/** `cluster prod-eu`, or the kind alone. */
function describeThing({ noun, id }: Thing): string {
  return id === null ? noun : `${noun} ${id}`;
}
