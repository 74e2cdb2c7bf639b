/** Fields of the base layer: change rarely, by a person, a registration or a provisioner. Source: the inventory record. */
export const BASE_FIELDS = [
  "cluster_id",
  "cluster_name",
  "cluster_type",
  "provider",
  "region",
  "zones",
  "api_server_endpoint",
  "pod_cidr",
  "service_cidr",
  "incarnation",
  "fingerprint",
] as const;

/** Fields of the dynamic layer: reported by the agent or read by the hub. */
export const DYNAMIC_FIELDS = [
  "k8s_version",
  "k8s_versions",
  "kubelet_versions",
  "node_os_versions",
  "container_runtime_versions",
  "kube_proxy_version",
  "coredns_version",
  "cni",
  "cni_version",
  "csi_drivers",
  "ingress",
  "ingress_version",
  "agent_version",
  "node_count",
  "node_count_ready",
  "node_count_not_ready",
  "node_count_cordoned",
  "node_count_virtual",
  "node_count_spot",
  "total_cpu_cores",
  "total_memory_gb",
  "total_gpus",
  "total_pods",
  "total_storage_gb",
  "health_status",
  "connectivity",
  "credential_expires_at",
  "resource_version",
  "observed_at",
  "received_at",
] as const;

/** Fields of the label layer. */
export const LABEL_FIELDS = [
  "tenant_id",
  "environment",
  "business_unit",
  "project",
  "cost_center",
  "owner_team",
  "labels",
] as const;
