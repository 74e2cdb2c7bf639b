import type { Policy } from "../access.ts";

/** What could not be applied: the admin sees it, tries it again and gives it up. */
export const quarantinePolicy: Policy = (actor) => (actor.kind === "admin" ? "all" : null);
