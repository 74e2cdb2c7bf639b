import type { Policy } from "../access.ts";

/** Costs: the admin reads those of every cluster. */
export const costPolicy: Policy = (actor, verb) => (actor.kind === "admin" && verb === "read" ? "all" : null);
