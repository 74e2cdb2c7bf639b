import type { Role } from "./roles.ts";

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
  "service-token",
  "stream",
  "whoami",
] as const;
export type Noun = (typeof NOUNS)[number];

/** One thing, or with `id` null all of its kind. */
export interface Thing {
  readonly noun: Noun;
  readonly id: string | null;
}

/** Who may do what to things of one kind. What it does not name is denied. */
export interface Policy {
  /** For people, in docs: what things of this kind are. */
  readonly about: string;
  /** Roles that may do it, on the clusters of their grant. `admin` may do all that any role may. */
  readonly roles: Readonly<Partial<Record<Verb, readonly Role[]>>>;
  /** Of these, those that are about the whole fleet: a grant on some clusters is not enough. */
  readonly wholeFleet?: readonly Verb[];
  /** Everybody may, and sees no cluster by it. */
  readonly anyone?: readonly Verb[];
  /** The hub's own loops may. */
  readonly hub?: readonly Verb[];
}
