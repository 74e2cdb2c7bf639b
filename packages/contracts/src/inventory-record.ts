/** Kinds of clusters (inventory base layer, `cluster_type`). SelfBuilt covers kind and plain kubeadm. */
export const CLUSTER_TYPES = [
  "ACK",
  "TKE",
  "EKS",
  "GKE",
  "AKS",
  "CCE",
  "OpenShift",
  "RKE2",
  "K3s",
  "SelfBuilt",
  "Other",
] as const;
export type ClusterType = (typeof CLUSTER_TYPES)[number];

export const ENVIRONMENTS = ["production", "staging", "testing", "development", "other"] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export type HealthStatus = "healthy" | "degraded" | "unhealthy" | "unknown";

/** Versions of one component over the nodes of a cluster: the most common value stands in the record, all are here. */
export type VersionCounts = Readonly<Record<string, number>>;

/**
 * The flat inventory record (base, dynamic and label layer in one), for CMDBs, spreadsheets and BI. `null` = unknown or
 * known only to a hub. Memory and storage in GB are GiB, floored; exact figures stand in the capacity block.
 */
export interface InventoryRecord {
  // base layer
  readonly cluster_id: string;
  readonly cluster_name: string;
  readonly cluster_type: ClusterType;
  readonly provider: string | null;
  readonly region: string | null;
  readonly zones: readonly string[];
  readonly api_server_endpoint: string | null;
  readonly pod_cidr: readonly string[] | null;
  readonly service_cidr: readonly string[] | null;
  readonly incarnation: number | null;
  /** UID of namespace kube-system. */
  readonly fingerprint: string | null;
  // dynamic layer
  readonly k8s_version: string | null;
  readonly k8s_versions: readonly string[];
  readonly kubelet_version: string | null;
  readonly kubelet_versions: VersionCounts;
  readonly node_os_version: string | null;
  readonly node_os_versions: VersionCounts;
  readonly container_runtime_version: string | null;
  readonly container_runtime_versions: VersionCounts;
  readonly kube_proxy_version: string | null;
  readonly coredns_version: string | null;
  readonly cni: string | null;
  readonly cni_version: string | null;
  readonly csi_drivers: readonly string[] | null;
  readonly ingress: string | null;
  readonly ingress_version: string | null;
  readonly agent_version: string | null;
  /** Registered nodes, virtual ones included. */
  readonly node_count: number | null;
  readonly node_count_ready: number | null;
  readonly node_count_not_ready: number | null;
  readonly node_count_cordoned: number | null;
  readonly node_count_virtual: number | null;
  readonly node_count_spot: number | null;
  /** Σ status.capacity of all registered nodes except virtual ones, floored. */
  readonly total_cpu_cores: number | null;
  readonly total_memory_gb: number | null;
  readonly total_gpus: number | null;
  readonly total_pods: number | null;
  readonly total_storage_gb: number | null;
  readonly health_status: HealthStatus;
  readonly health_reasons: readonly string[];
  readonly connectivity: string | null;
  readonly credential_expires_at: string | null;
  readonly resource_version: number | null;
  readonly observed_at: string;
  readonly received_at: string | null;
  // label layer
  readonly tenant_id: string | null;
  readonly environment: Environment | null;
  readonly business_unit: string | null;
  readonly project: string | null;
  readonly cost_center: string | null;
  readonly owner_team: string | null;
  readonly labels: Readonly<Record<string, string>>;
}
