import type { Policy } from "../access.ts";

/** Service tokens: an admin of the whole fleet makes and withdraws them; auditors see that they exist. */
export const serviceTokenPolicy: Policy = {
  about: "tokens of programs",
  roles: { list: ["auditor"], create: [], delete: [] },
  wholeFleet: ["list", "create", "delete"],
};
