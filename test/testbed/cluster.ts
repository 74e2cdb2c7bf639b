import type { Cluster, ClusterInfo, ClusterOptions } from "./cluster-types.ts";

/** Starts a cluster and waits until its API is ready (and, with `usage`, until metrics.k8s.io is registered). */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  throw new Error(`not built yet: ${options.name}`);
}

/** A handle on a cluster that another process runs; its `stop` does nothing. */
export function attachCluster(info: ClusterInfo): Cluster {
  throw new Error(`not built yet: ${info.name}`);
}
