export { type ApiClient, ApiError, type ApiObject, apiClient } from "./api-client.ts";
export { attachCluster, startCluster } from "./cluster.ts";
export type { Cluster, ClusterInfo, ClusterOptions, ClusterProcess, ClusterTokens } from "./cluster-types.ts";
export {
  type Credentials,
  contextOf,
  deadContext,
  type KubeconfigContext,
  silentContext,
  writeKubeconfig,
} from "./kubeconfig.ts";
export { type Fleet, MIXED_CLUSTERS, type MixedClusterName, mixedFleet } from "./mixed-fleet.ts";
export { sharedFleet } from "./shared-fleet.ts";
