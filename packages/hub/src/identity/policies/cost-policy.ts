import type { Policy } from "../access.ts";

/** Costs: every role sees those of its clusters. What they are made of (prices, bills) will be for `finops` to change. */
export const costPolicy: Policy = {
  about: "what clusters, namespaces and workloads cost",
  roles: { read: ["viewer", "operator", "finops", "auditor"] },
};
