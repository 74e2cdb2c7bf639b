import { UNKNOWN } from "../format/unknown.ts";

/** One layer of the inventory record with its fields, in the order that they are shown in. */
export interface Layer {
  readonly title: "Base layer" | "Dynamic layer" | "Label layer";
  readonly fields: readonly string[];
}

/** The three layers. What is shown apart (state, health, times, ids) is left out here. */
export const LAYERS: readonly Layer[] = [
  {
    title: "Base layer",
    fields: [
      ...["cluster_type", "provider", "region", "zones", "api_server_endpoint", "pod_cidr", "service_cidr"],
      ...["incarnation", "fingerprint"],
    ],
  },
  {
    title: "Dynamic layer",
    fields: [
      ...["k8s_version", "k8s_versions", "kubelet_version", "kubelet_versions"],
      ...["node_os_version", "node_os_versions", "container_runtime_version", "container_runtime_versions"],
      ...["kube_proxy_version", "coredns_version", "cni", "cni_version", "csi_drivers", "ingress", "ingress_version"],
      ...["agent_version", "node_count", "node_count_ready", "node_count_not_ready", "node_count_cordoned"],
      ...["node_count_virtual", "node_count_spot", "total_cpu_cores", "total_memory_gb", "total_gpus", "total_pods"],
      ...["total_storage_gb", "credential_expires_at", "resource_version"],
    ],
  },
  {
    title: "Label layer",
    fields: [...["tenant_id", "environment", "business_unit", "project", "cost_center", "owner_team", "labels"]],
  },
];

/** A field's value in one line: lists joined by commas, maps as `key=value`; unknown = `–`. */
export function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(String).join(", ");
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([key, part]) => `${key}=${String(part)}`);
    return entries.length === 0 ? "none" : entries.join(", ");
  }
  return value === null || value === undefined || value === "" ? UNKNOWN : String(value);
}
