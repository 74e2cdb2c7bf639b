import type { NamespacePlan } from "./plan.ts";

/** Labels that say whom a cost belongs to. */
export const owned = (costCenter: string, env: string, team: string) => ({
  "cost-center": costCenter,
  env,
  "owner-team": team,
});

/** The namespaces that every cluster has, beside kube-system. */
export const PLAIN_NAMESPACES: readonly NamespacePlan[] = [
  { name: "default" },
  { name: "kube-node-lease" },
  { name: "kube-public" },
];

/** Where the cluster's own parts run. */
export const SYSTEM = { namespace: "kube-system" } as const;
