import type { InventoryRecord } from "../inventory-record.ts";
import type { CapacityReport } from "../scan-report.ts";

/** The fields of the inventory record's dynamic layer that an agent reports; the hub adds the rest. Null = unknown. */
export type DynamicLayer = Pick<
  InventoryRecord,
  | "k8s_version"
  | "k8s_versions"
  | "kubelet_version"
  | "kubelet_versions"
  | "node_os_version"
  | "node_os_versions"
  | "container_runtime_version"
  | "container_runtime_versions"
  | "kube_proxy_version"
  | "coredns_version"
  | "cni"
  | "cni_version"
  | "csi_drivers"
  | "ingress"
  | "ingress_version"
  | "agent_version"
  | "node_count"
  | "node_count_ready"
  | "node_count_not_ready"
  | "node_count_cordoned"
  | "node_count_virtual"
  | "node_count_spot"
  | "total_cpu_cores"
  | "total_memory_gb"
  | "total_gpus"
  | "total_pods"
  | "total_storage_gb"
  | "health_status"
  | "health_reasons"
>;

/** What an agent sees of the base layer; the hub proposes it, a person or a provisioner decides. */
export type DetectedBase = Pick<
  InventoryRecord,
  "cluster_type" | "provider" | "region" | "zones" | "api_server_endpoint" | "pod_cidr" | "service_cidr"
>;

export type ReadStateName = "unknown" | "current" | "stale" | "unreadable";

/**
 * How well one Kubernetes resource (or `usage`, `version`) is being read. `stale`: the last read failed, values are those
 * of `observedAtMs`; `unreadable`: never read. `errorCode` is of the error table, null while all is well.
 */
export interface ResourceReadState {
  readonly resource: string;
  readonly state: ReadStateName;
  /** Milliseconds since 1970 UTC by hub time; null = never. */
  readonly observedAtMs: number | null;
  readonly errorCode: string | null;
}

/** A cluster's dynamic layer as one report carries it: complete each time. */
export interface DynamicFacts {
  /** Milliseconds since 1970 UTC by hub time as the agent knows it. */
  readonly observedAtMs: number;
  readonly layer: DynamicLayer;
  /** Watermark figures; null = unknown. */
  readonly capacity: CapacityReport | null;
  readonly resourceStates: readonly ResourceReadState[];
  readonly detected: DetectedBase;
}
