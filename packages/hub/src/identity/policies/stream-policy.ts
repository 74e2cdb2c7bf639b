import type { Policy } from "../access.ts";

/** Streams of agents: the admin may ask them to connect anew. */
export const streamPolicy: Policy = (actor) => (actor.kind === "admin" ? "all" : null);
