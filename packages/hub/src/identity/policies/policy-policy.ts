import type { Policy } from "../access.ts";

/** What agents are told to do: the admin's. */
export const policyPolicy: Policy = (actor) => (actor.kind === "admin" ? "all" : null);
