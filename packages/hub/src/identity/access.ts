import type { ClusterScope } from "../store/cluster-scope.ts";
import type { Actor } from "./actor.ts";

/** What can be done to things of the hub. */
export const VERBS = ["list", "read", "create", "update", "delete", "join"] as const;
export type Verb = (typeof VERBS)[number];

/** Kinds of things; each has its policy in a file of its own. */
export const NOUNS = [
  "audit",
  "cluster",
  "cost",
  "health",
  "join-token",
  "metrics",
  "page",
  "policy",
  "quarantine",
  "schema",
  "stream",
] as const;
export type Noun = (typeof NOUNS)[number];

/** One thing, or with `id` null all of its kind. */
export interface Thing {
  readonly noun: Noun;
  readonly id: string | null;
}

/**
 * What a policy says: null = no; a scope = yes, and the clusters that the answer may be about. It decides by who asks and
 * what for alone, without a query.
 */
export type Policy = (actor: Actor, verb: Verb, thing: Thing) => ClusterScope | null;
