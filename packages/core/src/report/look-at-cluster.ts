import type { CapacityReport, ClusterError, ClusterFacts, InventoryRecord } from "@plimsoll/contracts";
import type { DetectedBase, DynamicLayer } from "@plimsoll/contracts/wire";
import { clusterCapacity } from "../capacity/cluster-capacity.ts";
import { clusterLoads, type Load } from "../capacity/cluster-loads.ts";
import { clusterHealth } from "../inventory/cluster-health.ts";
import { inventoryRecord } from "../inventory/inventory-record.ts";
import { systemFailures } from "../inventory/system-failures.ts";
import type { NodeOptions } from "../nodes/node-state.ts";
import { createErrorLog } from "./error-log.ts";
import { readCluster } from "./read-cluster.ts";

/** What a cluster is and how full it is at a moment: what an agent reports, without findings and cost. */
export interface ClusterLook {
  /** Namespace kube-system's UID; null = not read. */
  readonly fingerprint: string | null;
  readonly layer: DynamicLayer;
  readonly detected: DetectedBase;
  /** Null = unknown: no nodes were read. */
  readonly capacity: CapacityReport | null;
  readonly loads: readonly Load[];
  readonly errors: readonly ClusterError[];
}

/** Looks at the facts of a cluster once. Pure: the same facts, the same look. */
export function lookAtCluster(
  facts: ClusterFacts,
  agentVersion: string | null,
  options: NodeOptions = {},
): ClusterLook {
  const log = createErrorLog(facts.name);
  const { nodes, pods, usage, owners } = readCluster(facts, options, log);
  const podObjects = facts.objects.pods;
  const failures = systemFailures(podObjects.known ? podObjects.value : [], owners);
  const record = inventoryRecord(facts, nodes, clusterHealth(facts, nodes, failures));
  const counted = nodes?.length ? nodes : null;
  return {
    fingerprint: record.fingerprint,
    layer: { ...dynamicLayer(record), agent_version: agentVersion },
    detected: detectedBase(record),
    capacity: counted && clusterCapacity({ nodes: counted, pods, usage }),
    loads: counted ? clusterLoads({ nodes: counted, pods, usage }) : [],
    errors: log.all(),
  };
}

function dynamicLayer(record: InventoryRecord): DynamicLayer {
  return {
    k8s_version: record.k8s_version,
    k8s_versions: record.k8s_versions,
    kubelet_version: record.kubelet_version,
    kubelet_versions: record.kubelet_versions,
    node_os_version: record.node_os_version,
    node_os_versions: record.node_os_versions,
    container_runtime_version: record.container_runtime_version,
    container_runtime_versions: record.container_runtime_versions,
    kube_proxy_version: record.kube_proxy_version,
    coredns_version: record.coredns_version,
    cni: record.cni,
    cni_version: record.cni_version,
    csi_drivers: record.csi_drivers,
    ingress: record.ingress,
    ingress_version: record.ingress_version,
    agent_version: record.agent_version,
    node_count: record.node_count,
    node_count_ready: record.node_count_ready,
    node_count_not_ready: record.node_count_not_ready,
    node_count_cordoned: record.node_count_cordoned,
    node_count_virtual: record.node_count_virtual,
    node_count_spot: record.node_count_spot,
    total_cpu_cores: record.total_cpu_cores,
    total_memory_gb: record.total_memory_gb,
    total_gpus: record.total_gpus,
    total_pods: record.total_pods,
    total_storage_gb: record.total_storage_gb,
    health_status: record.health_status,
    health_reasons: record.health_reasons,
  };
}

function detectedBase(record: InventoryRecord): DetectedBase {
  const { cluster_type, provider, region, zones, api_server_endpoint, pod_cidr, service_cidr } = record;
  return { cluster_type, provider, region, zones, api_server_endpoint, pod_cidr, service_cidr };
}
