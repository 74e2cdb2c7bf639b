import {
  API_VERSION,
  type CapacityReport,
  type ClusterError,
  type ClusterReport,
  type Finding,
  type FleetTotals,
  type InventoryRecord,
  type ResourceFigures,
  type ScanReport,
} from "@plimsoll/contracts";

/** Time of the sample report. */
const SAMPLE_AS_OF = "2026-11-30T09:00:00Z";

const GIB = 1024n ** 3n;

/** An inventory record with everything unknown except what is given. For tests of the renderers. */
export function sampleInventory(given: Partial<InventoryRecord> & { readonly cluster_name: string }): InventoryRecord {
  return {
    cluster_id: given.fingerprint ?? given.cluster_name,
    cluster_type: "Other",
    provider: null,
    region: null,
    zones: [],
    api_server_endpoint: null,
    pod_cidr: null,
    service_cidr: null,
    incarnation: null,
    fingerprint: null,
    k8s_version: null,
    k8s_versions: given.k8s_version ? [given.k8s_version] : [],
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
    connectivity: null,
    credential_expires_at: null,
    resource_version: null,
    observed_at: SAMPLE_AS_OF,
    received_at: null,
    tenant_id: null,
    environment: null,
    business_unit: null,
    project: null,
    cost_center: null,
    owner_team: null,
    labels: {},
    ...given,
  };
}

function figures(unit: ResourceFigures["unit"], given: Partial<ResourceFigures>): ResourceFigures {
  const allocatable = given.allocatable ?? 0n;
  return {
    unit,
    capacity: allocatable,
    allocatable,
    requested: null,
    requestedAllocatable: given.requested == null ? null : allocatable,
    limits: null,
    limitsPartial: false,
    used: null,
    usedAllocatable: given.used == null ? null : allocatable,
    pending: 0n,
    ...given,
  };
}

function nodes(
  schedulable: number,
  excluded: CapacityReport["nodes"]["excluded"],
  reportingUsage: number,
): CapacityReport["nodes"] {
  const out = Object.values(excluded).reduce((sum, count) => sum + count, 0);
  return { total: schedulable + out, schedulable, excluded, excludedFigures: [], reportingUsage };
}

const production: ClusterReport = {
  inventory: sampleInventory({
    cluster_name: "prod-eu-1",
    fingerprint: "6a5ab7e4-6c1f-4f9e-9a36-0c5c1d1f2a01",
    cluster_type: "EKS",
    provider: "aws",
    region: "eu-central-1",
    zones: ["eu-central-1a", "eu-central-1b", "eu-central-1c"],
    api_server_endpoint: "https://4F6E2.gr7.eu-central-1.eks.amazonaws.com",
    k8s_version: "v1.33.5-eks-7f9249a",
    kubelet_version: "v1.33.5-eks-7f9249a",
    kubelet_versions: { "v1.33.5-eks-7f9249a": 10, "v1.32.9-eks-113cf36": 2 },
    node_os_version: "Amazon Linux 2023.9",
    node_os_versions: { "Amazon Linux 2023.9": 12 },
    container_runtime_version: "containerd://2.1.4",
    container_runtime_versions: { "containerd://2.1.4": 12 },
    kube_proxy_version: "v1.33.5",
    coredns_version: "v1.12.4",
    cni: "aws-vpc-cni",
    cni_version: "v1.20.3",
    csi_drivers: ["ebs.csi.aws.com"],
    node_count: 12,
    node_count_ready: 11,
    node_count_not_ready: 1,
    node_count_cordoned: 1,
    node_count_virtual: 0,
    node_count_spot: 4,
    total_cpu_cores: 192,
    total_memory_gb: 768,
    total_gpus: 8,
    total_pods: 2784,
    total_storage_gb: 1200,
    health_status: "degraded",
    health_reasons: ["1 of 12 nodes is not ready"],
    environment: "production",
    owner_team: "platform",
    cost_center: "cc-100",
    labels: { env: "prod", "cost-center": "cc-100" },
  }),
  capacity: {
    nodes: nodes(10, { NotReady: 1, Cordoned: 1 }, 10),
    resources: {
      cpu: figures("millicores", {
        capacity: 160_000n,
        allocatable: 156_800n,
        requested: 142_300n,
        limits: 310_000n,
        limitsPartial: true,
        used: 64_210n,
        pending: 12_000n,
      }),
      memory: figures("bytes", {
        capacity: 640n * GIB,
        allocatable: 604n * GIB + 123n,
        requested: 431n * GIB,
        limits: 702n * GIB,
        used: 388n * GIB + 7n,
        pending: 48n * GIB,
      }),
      pods: figures("count", { allocatable: 2320n, requested: 812n, used: null }),
      "ephemeral-storage": figures("bytes", { allocatable: 1000n * GIB, requested: 41n * GIB }),
      "nvidia.com/gpu": figures("count", { allocatable: 8n, requested: 8n, pending: 2n }),
    },
  },
  workloads: [
    workload("search", "StatefulSet", "opensearch-data", 9, 45_000n, 288n * GIB),
    workload("ml", "Job", "embed-products-28941", 4, 32_000n, 64n * GIB),
    workload("shop", "Deployment", "checkout", 24, 24_000n, 24n * GIB),
    workload("shop", "Deployment", "catalog", 18, 18_000n, 27n * GIB),
    workload("kube-system", "DaemonSet", "aws-node", 12, 600n, 1n * GIB),
  ],
  cost: {
    currency: "USD",
    hourly: { total: "16.958016", workloads: "12.104113025", idle: "4.500402975", system: "0.3535" },
    byNamespace: [
      { name: "search", hourly: "4.121004012" },
      { name: "ml", hourly: "3.9" },
      { name: "shop", hourly: "3.2" },
      { name: "monitoring", hourly: "0.7" },
      { name: "ingress", hourly: "0.183109013" },
      { name: "__idle__", hourly: "4.500402975" },
      { name: "__system__", hourly: "0.3535" },
    ],
    byLabel: {
      "cost-center": [
        { name: "cc-100", hourly: "7.3" },
        { name: "cc-200", hourly: "4.121004012" },
        { name: "__unallocated__", hourly: "0.683109013" },
        { name: "__idle__", hourly: "4.500402975" },
        { name: "__system__", hourly: "0.3535" },
      ],
      env: [{ name: "__unallocated__", hourly: "16.958016" }],
    },
    priceSources: { default: 12 },
    pricing: { "on-demand": 8, spot: 4 },
    unpricedNodes: [],
    basis: "max(request, usage)",
  },
  findings: [
    finding(
      "critical",
      "watermark_critical",
      "Resource/cpu",
      "cpu is requested to 90 % of allocatable",
      "Add nodes or right-size: see the top workloads",
    ),
    finding(
      "warning",
      "node_not_ready",
      "Node/ip-10-0-3-17.eu-central-1.compute.internal",
      "NotReady since 2026-11-30T06:12:00Z: kubelet stopped posting node status",
      "kubectl describe node ip-10-0-3-17.eu-central-1.compute.internal",
    ),
    finding(
      "warning",
      "pods_pending",
      "Namespace/ml",
      "2 pods wait for a node: nvidia.com/gpu is fully requested",
      "Add a GPU node or let a Job end",
    ),
    finding(
      "info",
      "node_cordoned",
      "Node/ip-10-0-1-4.eu-central-1.compute.internal",
      "Cordoned: takes no new pods and still costs money",
      "kubectl uncordon, or remove the node",
    ),
  ],
  unused: [],
};

const staging: ClusterReport = {
  inventory: sampleInventory({
    cluster_name: "staging",
    fingerprint: "1b0f3f42-6a0d-4d5c-8a67-53f2d7ab0e02",
    cluster_type: "GKE",
    provider: "gcp",
    region: "europe-west4",
    zones: ["europe-west4-a"],
    k8s_version: "v1.34.1-gke.1829001",
    kubelet_version: "v1.34.1-gke.1829001",
    kubelet_versions: { "v1.34.1-gke.1829001": 3 },
    node_count: 3,
    node_count_ready: 3,
    node_count_not_ready: 0,
    node_count_cordoned: 0,
    node_count_virtual: 0,
    total_cpu_cores: 12,
    total_memory_gb: 48,
    total_gpus: 0,
    health_status: "healthy",
    environment: "staging",
    observed_at: "2026-11-27T08:30:00Z",
  }),
  capacity: {
    nodes: nodes(3, {}, 0),
    resources: {
      cpu: figures("millicores", { capacity: 12_000n, allocatable: 11_760n, requested: 1_900n, limits: 4_000n }),
      memory: figures("bytes", { capacity: 48n * GIB, allocatable: 42n * GIB, requested: 9n * GIB, limits: 16n * GIB }),
      pods: figures("count", { allocatable: 330n, requested: 41n }),
      "ephemeral-storage": figures("bytes", { allocatable: 90n * GIB, requested: 0n }),
    },
  },
  workloads: [workload("shop", "Deployment", "checkout", 2, 500n, 1n * GIB)],
  cost: {
    currency: "USD",
    hourly: { total: "0.5828", workloads: "0.1", idle: "0.4728", system: "0.01" },
    byNamespace: [
      { name: "shop", hourly: "0.1" },
      { name: "__idle__", hourly: "0.4728" },
      { name: "__system__", hourly: "0.01" },
    ],
    byLabel: {
      "cost-center": [
        { name: "cc-100", hourly: "0.1" },
        { name: "__unallocated__", hourly: "0" },
        { name: "__idle__", hourly: "0.4728" },
        { name: "__system__", hourly: "0.01" },
      ],
    },
    priceSources: { default: 3 },
    pricing: { "on-demand": 3 },
    unpricedNodes: [],
    basis: "request",
  },
  findings: [],
  unused: [{ where: "staging/extra.txt", code: "dump_no_objects", reason: "holds no Kubernetes objects" }],
};

const shanghai: ClusterReport = {
  inventory: sampleInventory({
    cluster_name: "生产-上海",
    fingerprint: "7c9e1d52-0f4b-47a1-b1a3-2f5a4e9c0d03",
    cluster_type: "ACK",
    provider: "alibaba",
    region: "cn-shanghai",
    k8s_version: "v1.33.3-aliyun.1",
    k8s_versions: ["v1.32.7-aliyun.1", "v1.33.3-aliyun.1"],
    health_status: "degraded",
    health_reasons: ["collection is partial: nodes"],
  }),
  capacity: null,
  workloads: null,
  cost: null,
  findings: [],
  unused: [],
};

const unreachable: ClusterReport = {
  inventory: sampleInventory({ cluster_name: "edge-7", api_server_endpoint: "https://203.0.113.7:6443" }),
  capacity: null,
  workloads: null,
  cost: null,
  findings: [],
  unused: [],
};

const SAMPLE_ERRORS: readonly ClusterError[] = [
  {
    cluster: "edge-7",
    code: "cluster_unreachable",
    message: "https://203.0.113.7:6443 does not answer: connection refused",
    remedy: "Check the address, VPN and firewall, then: kubectl --context edge-7 get --raw /readyz",
  },
  {
    cluster: "生产-上海",
    code: "cluster_forbidden",
    message: "No right to list nodes in context 生产-上海",
    remedy: "Grant the read rights in deploy/rbac/scan.yaml; until then figures that need nodes are unknown",
  },
  {
    cluster: "staging",
    code: "usage_unavailable",
    message: "No usage figures of staging: metrics.k8s.io is not served",
    remedy: "Install metrics-server, or grant nodes/metrics; until then used figures are unknown, not zero",
  },
];

/** A report with one of everything: a busy cluster, one without usage, one without rights on nodes, one unreachable. */
export function sampleReport(given: Partial<ScanReport> = {}): ScanReport {
  return {
    apiVersion: API_VERSION,
    kind: "ScanReport",
    asOf: SAMPLE_AS_OF,
    fleet: sampleFleet(),
    clusters: [production, staging, shanghai, unreachable],
    errors: SAMPLE_ERRORS,
    ...given,
  };
}

/** A report of `clusters` alone, with their errors. Fleet totals stay those of the sample. */
export function reportOf(clusters: readonly ClusterReport[], errors: readonly ClusterError[] = []): ScanReport {
  return sampleReport({ clusters, errors });
}

function sampleFleet(): FleetTotals {
  return {
    clusters: 4,
    clustersRead: 3,
    nodes: nodes(13, { NotReady: 1, Cordoned: 1 }, 10),
    resources: {
      cpu: figures("millicores", { allocatable: 168_560n, requested: 144_200n, limits: 314_000n, pending: 12_000n }),
      memory: figures("bytes", { allocatable: 646n * GIB + 123n, requested: 440n * GIB, limits: 718n * GIB }),
      pods: figures("count", { allocatable: 2650n, requested: 853n }),
      "nvidia.com/gpu": figures("count", { allocatable: 8n, requested: 8n, pending: 2n }),
    },
    cost: [
      {
        currency: "USD",
        hourly: { total: "17.540816", workloads: "12.204113025", idle: "4.973202975", system: "0.3635" },
        clusters: 2,
      },
    ],
    findings: { info: 1, warning: 2, critical: 1 },
  };
}

function workload(namespace: string, type: string, name: string, pods: number, cpu: bigint, memory: bigint) {
  return { namespace, workload_type: type, workload_name: name, pods, requested: { cpu, memory, pods: BigInt(pods) } };
}

function finding(
  severity: Finding["severity"],
  code: string,
  object: string,
  message: string,
  remedy: string,
): Finding {
  return { code, severity, object, message, remedy };
}
