export { type ApiClient, ApiError, type ApiObject } from "./api-client.ts";
export { type Binaries, cacheDir, ensureBinaries } from "./binaries.ts";
export { startCluster } from "./cluster.ts";
export type { Cluster, ClusterInfo, ClusterOptions, ClusterProcess, ClusterTokens } from "./cluster-types.ts";
export {
  type Credentials,
  contextOf,
  deadContext,
  type KubeconfigContext,
  silentContext,
  writeKubeconfig,
} from "./kubeconfig.ts";
export {
  type Fleet,
  type FleetInfo,
  MIXED_CLUSTERS,
  type MixedClusterName,
  type MixedFleetOptions,
  mixedFleet,
} from "./mixed-fleet.ts";
export * from "./objects.ts";
export { sharedFleet } from "./shared-fleet.ts";
