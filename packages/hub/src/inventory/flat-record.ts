import type { InventoryRecord } from "@plimsoll/contracts";
import type { DetectedBase, DynamicLayer } from "@plimsoll/contracts/wire";
import { environmentOf } from "@plimsoll/core";
import type { ClusterEntry } from "./cluster-entry.ts";
import type { LivenessView } from "./liveness.ts";

/** The flat record of a cluster of a hub; `observed_at` is null before its first report. */
export type FleetRecord = Omit<InventoryRecord, "observed_at"> & { readonly observed_at: string | null };

const UNREPORTED: DynamicLayer = {
  k8s_version: null,
  k8s_versions: [],
  kubelet_version: null,
  kubelet_versions: {},
  node_os_version: null,
  node_os_versions: {},
  container_runtime_version: null,
  container_runtime_versions: {},
  kube_proxy_version: null,
  coredns_version: null,
  cni: null,
  cni_version: null,
  csi_drivers: null,
  ingress: null,
  ingress_version: null,
  agent_version: null,
  node_count: null,
  node_count_ready: null,
  node_count_not_ready: null,
  node_count_cordoned: null,
  node_count_virtual: null,
  node_count_spot: null,
  total_cpu_cores: null,
  total_memory_gb: null,
  total_gpus: null,
  total_pods: null,
  total_storage_gb: null,
  health_status: "unknown",
  health_reasons: [],
};

const UNDETECTED: DetectedBase = {
  cluster_type: "Other",
  provider: null,
  region: null,
  zones: [],
  api_server_endpoint: null,
  pod_cidr: null,
  service_cidr: null,
};

/** Base layer: what a person or a provisioner set wins over what the agent sees. */
export function baseLayer({ base, detected }: ClusterEntry): DetectedBase {
  return { ...UNDETECTED, ...detected, ...base };
}

/** Labels as selectors see them: the cluster's own, and its region, which nobody can set as a label. */
export function selectableLabels(entry: ClusterEntry): Readonly<Record<string, string>> {
  const { region } = baseLayer(entry);
  return region === null ? entry.labels : { ...entry.labels, region };
}

/** The three layers of a cluster as one flat record. Health is `unknown` while nothing is heard of it. */
export function flatRecord(entry: ClusterEntry, heard: LivenessView): FleetRecord {
  const { labels } = entry;
  const layer = entry.layer ?? UNREPORTED;
  return {
    cluster_id: entry.id,
    cluster_name: entry.name,
    ...baseLayer(entry),
    incarnation: entry.incarnation,
    fingerprint: entry.fingerprint,
    ...layer,
    health_status: heard.health,
    health_reasons: heard.health === layer.health_status ? layer.health_reasons : reasonsOf(heard),
    connectivity: heard.state,
    credential_expires_at: toInstant(entry.credentialExpiresAtMs),
    resource_version: entry.resourceVersion,
    observed_at: toInstant(entry.observedAtMs),
    received_at: toInstant(entry.receivedAtMs),
    tenant_id: labels["tenant-id"] ?? labels.tenant ?? null,
    environment: environmentOf(labels.env),
    business_unit: labels["business-unit"] ?? null,
    project: labels.project ?? null,
    cost_center: labels["cost-center"] ?? null,
    owner_team: labels["owner-team"] ?? null,
    labels,
  };
}

function reasonsOf(heard: LivenessView): readonly string[] {
  if (heard.state === "offline") return ["nothing is heard of the cluster"];
  return heard.state === "never-seen" ? ["the cluster was never seen"] : [];
}

/** Milliseconds as RFC 3339 UTC; null stays null. */
export function toInstant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
