import type { InventoryRecord } from "@plimsoll/contracts";
import type { ClusterPlan, Condition } from "./cluster-plan.ts";

type Health = Pick<InventoryRecord, "health_status" | "health_reasons">;

const HEALTH: Partial<Record<Condition, Health>> = {
  degraded: {
    health_status: "degraded",
    health_reasons: ["1 of 7 nodes is not ready", "coredns has 1 of 2 replicas"],
  },
  unhealthy: { health_status: "unhealthy", health_reasons: ["/readyz fails since 4 min: etcd"] },
  offline: { health_status: "unknown", health_reasons: [] },
  "never-seen": { health_status: "unknown", health_reasons: [] },
};

/** Fields of the dynamic layer, all unknown: what the hub has of a cluster that never called. */
const NOTHING_KNOWN = {
  api_server_endpoint: null,
  pod_cidr: null,
  service_cidr: null,
  fingerprint: null,
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
  credential_expires_at: null,
  resource_version: null,
  received_at: null,
} as const satisfies Partial<InventoryRecord>;

/** The flat record of a planned cluster. */
export function inventedRecord(plan: ClusterPlan, connectivity: string, nowMs: number): Record<string, unknown> {
  return { ...recordOf(plan, connectivity, nowMs) };
}

function recordOf(plan: ClusterPlan, connectivity: string, nowMs: number): InventoryRecord {
  const { index, kind, region, environment, team } = plan;
  const costCenter = `cc-${1000 + (index % 4)}`;
  return {
    cluster_id: plan.id,
    cluster_name: plan.name,
    cluster_type: kind.type,
    provider: kind.provider,
    region,
    zones: region === null ? [] : [`${region}a`, `${region}b`, `${region}c`],
    incarnation: 1,
    ...(plan.condition === "never-seen" ? NOTHING_KNOWN : dynamicFields(plan, nowMs)),
    ...(HEALTH[plan.condition] ?? { health_status: "healthy", health_reasons: [] }),
    connectivity,
    observed_at: new Date(nowMs - 61_000).toISOString(),
    tenant_id: index % 2 === 0 ? "retail" : null,
    environment,
    business_unit: null,
    project: null,
    cost_center: costCenter,
    owner_team: team,
    labels: { env: environment.slice(0, 4), "cost-center": costCenter, "owner-team": team },
  };
}

function dynamicFields({ index, name, kind, version, nodes }: ClusterPlan, nowMs: number) {
  const ingress = index % 3 !== 0;
  return {
    api_server_endpoint: `https://${name}.example.internal:6443`,
    pod_cidr: [`10.${index % 250}.0.0/16`],
    service_cidr: ["172.20.0.0/16"],
    fingerprint: `6f1c2c1e-0000-4000-8000-${String(index).padStart(12, "0")}`,
    k8s_version: version,
    k8s_versions: [version],
    kubelet_version: version,
    kubelet_versions: { [version]: nodes },
    node_os_version: kind.os,
    node_os_versions: { [kind.os]: nodes },
    container_runtime_version: "containerd://2.1.4",
    container_runtime_versions: { "containerd://2.1.4": nodes },
    kube_proxy_version: "v1.33.4",
    coredns_version: "v1.12.4",
    cni: "cilium",
    cni_version: "v1.18.2",
    csi_drivers: ["ebs.csi.aws.com", "efs.csi.aws.com"],
    ingress: ingress ? "ingress-nginx" : null,
    ingress_version: ingress ? "v1.13.3" : null,
    agent_version: "0.1.0",
    node_count: nodes,
    node_count_ready: nodes,
    node_count_not_ready: 0,
    node_count_cordoned: 0,
    node_count_virtual: 0,
    node_count_spot: Math.floor(nodes / 3),
    total_cpu_cores: nodes * 8,
    total_memory_gb: nodes * 32,
    total_gpus: 0,
    total_pods: nodes * 31,
    total_storage_gb: nodes * 100,
    credential_expires_at: new Date(nowMs + 71 * 86_400_000).toISOString(),
    resource_version: 4211 + index,
    received_at: new Date(nowMs - 60_000).toISOString(),
  };
}
