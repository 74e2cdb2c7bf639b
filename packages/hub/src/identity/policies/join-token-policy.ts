import type { Policy } from "../access.ts";

const NO_CLUSTER: ReadonlySet<string> = new Set();

/** Join tokens: the admin makes them; whoever holds one may use it, and sees no cluster by that. */
export const joinTokenPolicy: Policy = (actor, verb) => {
  if (verb === "join") return NO_CLUSTER;
  return actor.kind === "admin" ? "all" : null;
};
