import type { Policy } from "../access.ts";

const NO_CLUSTER: ReadonlySet<string> = new Set();

/** Health, metrics, page and schema name no cluster: everybody reads them, so that probes and scrapers need no token. */
export const openPolicy: Policy = (_actor, verb) => (verb === "read" ? NO_CLUSTER : null);
