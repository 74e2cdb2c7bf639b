import type { Policy } from "../access.ts";

/** Clusters: the admin does everything; the hub's own loops write what they find. */
export const clusterPolicy: Policy = (actor) => (actor.kind === "admin" || actor.kind === "hub" ? "all" : null);
