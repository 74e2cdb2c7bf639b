import type { DetectedBase, DynamicLayer } from "@plimsoll/contracts/wire";

const NODES = ["nodes"];
const ADD_ONS = ["daemonsets", "deployments"];

/**
 * The Kubernetes resources (or `version`) that a field of the dynamic layer is made of, as read states name them. Fields not
 * named are the reporter's own.
 */
export const LAYER_SOURCES: { readonly [F in keyof DynamicLayer]?: readonly string[] } = {
  k8s_version: ["version"],
  k8s_versions: ["version"],
  kubelet_version: NODES,
  kubelet_versions: NODES,
  node_os_version: NODES,
  node_os_versions: NODES,
  container_runtime_version: NODES,
  container_runtime_versions: NODES,
  kube_proxy_version: ADD_ONS,
  coredns_version: ADD_ONS,
  cni: ADD_ONS,
  cni_version: ADD_ONS,
  csi_drivers: ADD_ONS,
  ingress: ADD_ONS,
  ingress_version: ADD_ONS,
  node_count: NODES,
  node_count_ready: NODES,
  node_count_not_ready: NODES,
  node_count_cordoned: NODES,
  node_count_virtual: NODES,
  node_count_spot: NODES,
  total_cpu_cores: NODES,
  total_memory_gb: NODES,
  total_gpus: NODES,
  total_pods: NODES,
  total_storage_gb: NODES,
};

/** The same for the base layer as far as it is seen in the cluster. */
export const DETECTED_SOURCES: { readonly [F in keyof DetectedBase]?: readonly string[] } = {
  cluster_type: ["nodes", "version"],
  provider: NODES,
  region: NODES,
  zones: NODES,
  pod_cidr: NODES,
};
