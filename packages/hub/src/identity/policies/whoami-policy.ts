import type { Policy } from "../access.ts";

/** Everybody who is signed in may ask who he is and what he may do; who may do what at all is for auditors. */
export const whoamiPolicy: Policy = {
  about: "what the asker himself may do (read), and who may do what at all (list)",
  roles: { read: ["viewer", "operator", "finops", "auditor"], list: ["auditor"] },
  wholeFleet: ["list"],
};
