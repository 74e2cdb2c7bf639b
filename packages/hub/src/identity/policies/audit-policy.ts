import type { Policy } from "../access.ts";

/** The audit log: auditors read it and have its end signed; nobody changes it. */
export const auditPolicy: Policy = {
  about: "the audit log: its rows, the check of its chain, its checkpoints",
  roles: { list: ["auditor"], read: ["auditor"], create: ["auditor"] },
  wholeFleet: ["read", "create"],
};
