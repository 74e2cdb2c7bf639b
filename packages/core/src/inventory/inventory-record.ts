import {
  type ClusterFacts,
  type InventoryRecord,
  NANOS,
  type QuantityNanos,
  type VersionCounts,
} from "@plimsoll/contracts";
import { countValues, mostCommon } from "../nodes/count-values.ts";
import { detectCluster } from "../nodes/detect-cluster.ts";
import type { NodeFacts } from "../nodes/node-facts.ts";
import { isCordonedNode, isReadyNode } from "../nodes/node-state.ts";
import { findAddOns } from "./add-ons.ts";
import { cidrUnion } from "./cidr-union.ts";
import type { ClusterHealth } from "./cluster-health.ts";
import { clusterLabels, kubeSystem } from "./cluster-labels.ts";
import { environmentOf } from "./environment.ts";
import { HUB_FIELDS } from "./hub-fields.ts";
import { serverVersions } from "./server-version.ts";

/**
 * The flat record of a cluster from one collection. `cluster_id` is the fingerprint, or the name when namespace kube-system
 * could not be read; what only a hub knows is null. While API servers differ, `k8s_version` is the oldest.
 */
export function inventoryRecord(
  facts: ClusterFacts,
  nodes: readonly NodeFacts[] | null,
  health: ClusterHealth,
): InventoryRecord {
  const versions = serverVersions(facts);
  const identity = detectCluster(nodes ?? [], versions);
  const fingerprint = kubeSystem(facts)?.metadata.uid || null;
  const labels = clusterLabels(facts);
  return {
    ...HUB_FIELDS,
    cluster_id: fingerprint ?? facts.name,
    cluster_name: facts.name,
    cluster_type: identity.type,
    provider: identity.provider,
    region: identity.region,
    zones: identity.zones,
    api_server_endpoint: facts.source.kind === "api" ? facts.source.location : null,
    pod_cidr: podCidr(nodes),
    // Nothing in a scan's objects says it: the addresses in use only lie inside it.
    service_cidr: null,
    fingerprint,
    k8s_version: versions[0] ?? null,
    k8s_versions: versions,
    ...nodeVersions(nodes ?? []),
    ...addOnFields(facts),
    ...nodeCounts(nodes),
    ...totals(nodes),
    health_status: health.status,
    health_reasons: health.reasons,
    observed_at: facts.asOf,
    environment: environmentOf(labels.env),
    cost_center: labels["cost-center"] ?? null,
    owner_team: labels["owner-team"] ?? null,
    labels,
  };
}

type NodeVersionFields = Pick<
  InventoryRecord,
  | "kubelet_version"
  | "kubelet_versions"
  | "node_os_version"
  | "node_os_versions"
  | "container_runtime_version"
  | "container_runtime_versions"
>;

function nodeVersions(nodes: readonly NodeFacts[]): NodeVersionFields {
  const infos = nodes.map(({ node }) => node.status?.nodeInfo);
  const kubelets = countValues(infos.map((info) => info?.kubeletVersion || null));
  const systems = countValues(infos.map((info) => info?.osImage || null));
  const runtimes = countValues(infos.map((info) => info?.containerRuntimeVersion || null));
  return {
    kubelet_version: mostCommon(kubelets),
    kubelet_versions: versionCounts(kubelets),
    node_os_version: mostCommon(systems),
    node_os_versions: versionCounts(systems),
    container_runtime_version: mostCommon(runtimes),
    container_runtime_versions: versionCounts(runtimes),
  };
}

function versionCounts(counts: ReadonlyMap<string, number>): VersionCounts {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

type AddOnFields = Pick<
  InventoryRecord,
  "kube_proxy_version" | "coredns_version" | "cni" | "cni_version" | "csi_drivers" | "ingress" | "ingress_version"
>;

function addOnFields(facts: ClusterFacts): AddOnFields {
  const found = findAddOns(facts.objects);
  return {
    kube_proxy_version: found.kubeProxyVersion,
    coredns_version: found.corednsVersion,
    cni: found.cni,
    cni_version: found.cniVersion,
    csi_drivers: found.csiDrivers,
    ingress: found.ingress,
    ingress_version: found.ingressVersion,
  };
}

/** Ready and not ready sum to the count; cordoned, virtual and spot are properties beside that. */
function nodeCounts(nodes: readonly NodeFacts[] | null) {
  const count = (has: (facts: NodeFacts) => boolean): number | null => nodes?.filter(has).length ?? null;
  return {
    node_count: nodes?.length ?? null,
    node_count_ready: count(({ node }) => isReadyNode(node)),
    node_count_not_ready: count(({ node }) => !isReadyNode(node)),
    node_count_cordoned: count(({ node }) => isCordonedNode(node)),
    node_count_virtual: count((facts) => facts.virtual),
    node_count_spot: count((facts) => facts.spot),
  };
}

const NANOS_PER_GIB = NANOS << 30n;

/**
 * Σ capacity of all registered nodes except virtual ones, floored; null without nodes, and where it is more than a number of
 * JSON is exact for: such a capacity is a node's mistake, and the exact figures stand in the capacity block.
 */
function totals(nodes: readonly NodeFacts[] | null) {
  const machines = nodes?.length ? nodes.filter((facts) => !facts.virtual) : null;
  const total = (figure: (facts: NodeFacts) => QuantityNanos | undefined, nanosPerUnit: bigint): number | null => {
    const sum = Number((machines ?? []).reduce((nanos, facts) => nanos + (figure(facts) ?? 0n), 0n) / nanosPerUnit);
    return machines !== null && Number.isSafeInteger(sum) ? sum : null;
  };
  return {
    total_cpu_cores: total((facts) => facts.capacity.get("cpu"), NANOS),
    total_memory_gb: total((facts) => facts.capacity.get("memory"), NANOS_PER_GIB),
    total_gpus: total((facts) => facts.gpuCards, NANOS),
    total_pods: total((facts) => facts.capacity.get("pods"), NANOS),
    total_storage_gb: total((facts) => facts.capacity.get("ephemeral-storage"), NANOS_PER_GIB),
  };
}

function podCidr(nodes: readonly NodeFacts[] | null): readonly string[] | null {
  const blocks = cidrUnion((nodes ?? []).flatMap(({ node: { spec } }) => spec.podCIDRs ?? spec.podCIDR ?? []));
  return blocks.length === 0 ? null : blocks;
}
