import { join } from "node:path";
import { ensureBinaries } from "./binaries.ts";
import { attachCluster, startCluster } from "./cluster.ts";
import { type Cluster, type ClusterInfo, clusterInfo } from "./cluster-types.ts";
import { contextOf, writeKubeconfig } from "./kubeconfig.ts";
import { fillMixed, MIXED_CONTENTS, type MixedCluster } from "./mixed-contents.ts";
import { waitUntilSettled } from "./objects.ts";

/** Names of the mixed fleet's clusters, also its kubeconfig's contexts. */
export const MIXED_CLUSTERS = ["eks-prod", "gke-staging", "self-built"] as const;
export type MixedClusterName = (typeof MIXED_CLUSTERS)[number];

/** A fleet as plain data, for another process. */
export interface FleetInfo {
  readonly clusters: readonly ClusterInfo[];
  /** Path of a kubeconfig with one admin context per cluster, named as the cluster. */
  readonly kubeconfig: string;
}

/** Several running clusters with one kubeconfig. */
export interface Fleet extends FleetInfo {
  /** In the order of `MIXED_CLUSTERS`. */
  readonly clusters: readonly Cluster[];
  /** The cluster of that name; throws when there is none. */
  cluster(name: string): Cluster;
  stop(): Promise<void>;
}

/** How the mixed fleet is started. */
export interface MixedFleetOptions {
  /** How many clusters; default 3. Above that, further ones with the contents of self-built: self-built-4 … */
  readonly count?: number;
  /** Wait until metrics.k8s.io knows every ready node and running pod (some 30 s). Default: true. */
  readonly usage?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Three clusters (v1.34.2-eks-4f4795d, v1.33.5-gke.1700, v1.36.3) with the contents of mixed-contents.ts, settled: every pod
 * that can run runs, Jobs have ended, metrics.k8s.io knows every ready node and every pod that runs on one.
 */
export async function mixedFleet(options: MixedFleetOptions = {}): Promise<Fleet> {
  const { count = MIXED_CLUSTERS.length, usage = true, signal } = options;
  await ensureBinaries();
  const starts = await Promise.allSettled(
    Array.from({ length: count }, (_, index) => {
      const name = MIXED_CLUSTERS[index];
      const contents: MixedCluster = MIXED_CONTENTS[name ?? "self-built"];
      return startMixed(name ?? `self-built-${index + 1}`, contents, usage, signal);
    }),
  );
  const clusters = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
  const failure = starts.find((start) => start.status === "rejected");
  if (failure !== undefined) {
    await Promise.all(clusters.map((cluster) => cluster.stop()));
    throw failure.reason;
  }
  const kubeconfig = join(clusters[0]?.dir ?? ".", "fleet.kubeconfig");
  writeKubeconfig(
    kubeconfig,
    clusters.map((cluster) => contextOf(cluster)),
  );
  return fleetOf(clusters, kubeconfig);
}

/** A handle on a fleet that another process runs; its `stop` only closes this process's connections. */
export function attachFleet({ clusters, kubeconfig }: FleetInfo): Fleet {
  return fleetOf(clusters.map(attachCluster), kubeconfig);
}

/** What another process needs to attach. */
export function fleetInfo({ clusters, kubeconfig }: Fleet): FleetInfo {
  return { clusters: clusters.map(clusterInfo), kubeconfig };
}

function fleetOf(clusters: readonly Cluster[], kubeconfig: string): Fleet {
  return {
    clusters,
    kubeconfig,
    cluster: (name) => {
      const found = clusters.find((cluster) => cluster.name === name);
      if (found === undefined) throw new Error(`no cluster ${name} in the fleet`);
      return found;
    },
    stop: async () => {
      await Promise.all(clusters.map((cluster) => cluster.stop()));
    },
  };
}

async function startMixed(
  name: string,
  contents: MixedCluster,
  usage: boolean,
  signal: AbortSignal | undefined,
): Promise<Cluster> {
  const { gitVersion } = contents;
  const cluster = await startCluster({ name, gitVersion, usage, ...(signal ? { signal } : {}) });
  const stopEarly = () => void cluster.stop(); // requests under way fail at once
  signal?.addEventListener("abort", stopEarly);
  try {
    await fillMixed(cluster, contents);
    await waitUntilSettled(cluster, { usage, timeoutMs: 240_000, ...(signal ? { signal } : {}) });
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener("abort", stopEarly);
  }
}
