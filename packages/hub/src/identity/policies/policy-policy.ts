import type { Policy } from "../access.ts";

/** What agents are told to do: every role may know it, operators of the whole fleet change it. */
export const policyPolicy: Policy = {
  about: "what agents are told to do",
  roles: { read: ["viewer", "operator", "finops", "auditor"], update: ["operator"] },
  wholeFleet: ["update"],
};
