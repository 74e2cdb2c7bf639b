import type { Cluster } from "./cluster-types.ts";

/** Names of the mixed fleet's clusters, also its kubeconfig's contexts. */
export const MIXED_CLUSTERS = ["eks-prod", "gke-staging", "self-built"] as const;
export type MixedClusterName = (typeof MIXED_CLUSTERS)[number];

/** Several running clusters with one kubeconfig. */
export interface Fleet {
  /** In the order of `MIXED_CLUSTERS`. */
  readonly clusters: readonly Cluster[];
  /** Path of a kubeconfig with one admin context per cluster, named as the cluster. */
  readonly kubeconfig: string;
  /** The cluster of that name; throws when there is none. */
  cluster(name: MixedClusterName): Cluster;
  stop(): Promise<void>;
}

/**
 * Three clusters (v1.34.2-eks-4f4795d, v1.33.5-gke.1700, v1.36.3) with the mixed contents, settled: every pod that can run
 * runs, ended Jobs have ended, metrics.k8s.io knows every node and running pod.
 */
export async function mixedFleet(options: { readonly signal?: AbortSignal } = {}): Promise<Fleet> {
  throw new Error(`not built yet ${options.signal}`);
}
