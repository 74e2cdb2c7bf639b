import type { Policy } from "../access.ts";

/** The audit log: the admin reads it and has its end signed; nobody changes it. */
export const auditPolicy: Policy = (actor, verb) =>
  actor.kind === "admin" && (verb === "list" || verb === "read" || verb === "create") ? "all" : null;
