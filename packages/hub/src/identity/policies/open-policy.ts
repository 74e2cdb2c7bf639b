import type { Policy } from "../access.ts";

/** Health, metrics, page and schema name no cluster: everybody reads them, so that probes and scrapers need no token. */
export const openPolicy: Policy = {
  about: "health, metrics, the page's files, the description of the API: they name no cluster",
  roles: {},
  anyone: ["read"],
};
