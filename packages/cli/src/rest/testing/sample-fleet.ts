import type {
  ClusterDetail,
  ClusterList,
  ClusterView,
  CostAnswer,
  Coverage,
  FieldOrigin,
} from "@plimsoll/contracts/rest";

/** When the fixture hub answers. */
export const AS_OF = "2026-11-30T12:00:00.000Z";

const GIB = 1024n ** 3n;

type Watermark = NonNullable<ClusterView["watermarks"]>[number];
type Figures = readonly [capacity: bigint, allocatable: bigint, requested: bigint | null, used: bigint | null];

function watermark(
  resource: string,
  unit: Watermark["unit"],
  [capacity, allocatable, requested, used]: Figures,
): Watermark {
  return {
    resource,
    unit,
    capacity: `${capacity}`,
    allocatable: `${allocatable}`,
    requested: requested === null ? null : `${requested}`,
    requestedAllocatable: `${allocatable}`,
    limits: requested === null ? null : `${requested * 2n}`,
    limitsPartial: false,
    used: used === null ? null : `${used}`,
    usedAllocatable: used === null ? null : `${allocatable}`,
    pending: "0",
  };
}

function connectivity(state: ClusterView["connectivity"]["state"], since: string, lastBeatAt: string | null) {
  return { state, since, lastBeatAt, beatSeconds: 30, lateAfterSeconds: 60, unknownAfterSeconds: 120 };
}

const WHOLE: Coverage = { fraction: 1, coveredMs: 7_200_000, expectedMs: 7_200_000, reasons: [] };
/** 97.4 %: of a thousand hours, 20 were lost with the agent and 6 are on their way. */
const LESS: Coverage = {
  fraction: 0.974,
  coveredMs: 974 * 3_600_000,
  expectedMs: 1000 * 3_600_000,
  reasons: [
    { reason: "agent_down", lostMs: 20 * 3_600_000, fraction: 0.02 },
    { reason: "pending", lostMs: 6 * 3_600_000, fraction: 0.006 },
  ],
};

const HEALTHY: ClusterView = {
  id: "01936b9e-0000-7000-8000-000000000001",
  name: "shop-prod-fra-01",
  mode: "push",
  record: {
    cluster_id: "01936b9e-0000-7000-8000-000000000001",
    cluster_name: "shop-prod-fra-01",
    cluster_type: "EKS",
    provider: "aws",
    region: "eu-central-1",
    zones: ["eu-central-1a", "eu-central-1b"],
    api_server_endpoint: "https://203.0.113.10:443",
    pod_cidr: null,
    service_cidr: ["10.100.0.0/16"],
    incarnation: 1,
    fingerprint: "5f0c6b1e-6a63-4b0e-9b43-0e3a6a3f0a01",
    k8s_version: "v1.33.4-eks-3cfe0ce",
    k8s_versions: ["v1.33.4-eks-3cfe0ce"],
    kubelet_version: "v1.33.4-eks-3cfe0ce",
    kubelet_versions: { "v1.33.4-eks-3cfe0ce": 12 },
    node_count: 12,
    node_count_ready: 12,
    total_cpu_cores: 96,
    total_memory_gb: 384,
    agent_version: "0.1.0",
    health_status: "healthy",
    health_reasons: [],
    connectivity: "online",
    observed_at: "2026-11-30T11:59:48.000Z",
    received_at: "2026-11-30T11:59:48.250Z",
    environment: "production",
    cost_center: "CC-2010",
    owner_team: "storefront",
    labels: { env: "prod", "cost-center": "CC-2010" },
  },
  connectivity: connectivity("online", "2026-11-30T08:00:00.000Z", "2026-11-30T11:59:50.000Z"),
  nodes: { total: 12, schedulable: 12, reportingUsage: 12, excluded: {} },
  watermarks: [
    watermark("cpu", "millicores", [96_000n, 94_080n, 71_000n, 33_500n]),
    watermark("memory", "bytes", [384n * GIB, 372n * GIB, 340n * GIB, 201n * GIB]),
    watermark("pods", "count", [696n, 696n, 210n, null]),
  ],
  observedAt: "2026-11-30T11:59:48.000Z",
  receivedAt: "2026-11-30T11:59:48.250Z",
  cost: {
    currency: "USD",
    total: "4.661664",
    workloads: "3.5",
    idle: "1.061664",
    system: "0.1",
    asOf: "2026-11-30T11:59:40.000Z",
    priceSource: "default",
    coverage: WHOLE,
  },
  simulated: false,
};

const DEGRADED: ClusterView = {
  ...HEALTHY,
  id: "01936b9e-0000-7000-8000-000000000002",
  name: "pay-prod-hangzhou-02",
  mode: "pull",
  record: {
    ...HEALTHY.record,
    cluster_id: "01936b9e-0000-7000-8000-000000000002",
    cluster_name: "pay-prod-hangzhou-02",
    cluster_type: "ACK",
    provider: "alibaba",
    region: "cn-hangzhou",
    k8s_version: "v1.31.1-aliyun.1",
    k8s_versions: ["v1.31.1-aliyun.1", "v1.32.1-aliyun.1"],
    health_status: "degraded",
    health_reasons: ["2 of 8 nodes are not ready"],
    agent_version: null,
    cost_center: null,
    owner_team: null,
    labels: {},
  },
  nodes: { total: 8, schedulable: 5, reportingUsage: 0, excluded: { NotReady: 2, Cordoned: 1 } },
  watermarks: [
    watermark("cpu", "millicores", [40_000n, 39_000n, 36_300n, null]),
    // Beyond 2^53: must come out digit for digit.
    watermark("memory", "bytes", [9_007_199_254_740_993n, 9_007_199_254_740_993n, 40n * GIB, null]),
  ],
  cost: {
    ...(HEALTHY.cost ?? fail()),
    total: "1234.254740993",
    workloads: "1033.654740993",
    idle: "200.5",
    coverage: LESS,
  },
};

const OFFLINE: ClusterView = {
  ...HEALTHY,
  id: "01936b9e-0000-7000-8000-000000000003",
  name: "edge-7",
  record: {
    ...HEALTHY.record,
    cluster_name: "edge-7",
    cluster_type: "K3s",
    provider: null,
    region: null,
    k8s_version: "v1.30.6+k3s1",
    k8s_versions: [],
    health_status: "unknown",
    health_reasons: ["nothing is heard of the cluster"],
    connectivity: "offline",
  },
  connectivity: connectivity("offline", "2026-11-30T11:42:00.000Z", "2026-11-30T11:40:00.000Z"),
  nodes: { total: 1, schedulable: 1, reportingUsage: 1, excluded: {} },
  watermarks: [
    watermark("cpu", "millicores", [4_000n, 4_000n, 350n, 60n]),
    watermark("memory", "bytes", [8n * GIB, 8n * GIB, 1n * GIB, 900n * 1024n ** 2n]),
  ],
  observedAt: "2026-11-30T11:40:00.000Z",
  receivedAt: "2026-11-30T11:40:01.000Z",
  cost: null,
};

const NEVER_SEEN: ClusterView = {
  ...HEALTHY,
  id: "01936b9e-0000-7000-8000-000000000004",
  name: "just-joined",
  record: { cluster_name: "just-joined", cluster_type: "Other", health_status: "unknown", labels: {} },
  connectivity: connectivity("never-seen", "2026-11-30T11:59:00.000Z", null),
  nodes: null,
  watermarks: null,
  observedAt: null,
  receivedAt: null,
  cost: null,
};

function fail(): never {
  throw new Error("the sample has a cost");
}

/** Four clusters: one well, one degraded and read by the hub, one offline, one never seen. */
export const SAMPLE_CLUSTERS: readonly ClusterView[] = [HEALTHY, DEGRADED, OFFLINE, NEVER_SEEN];

/** The same as `GET /api/v1/clusters/{cluster}` answers. */
export const SAMPLE_DETAILS: readonly ClusterDetail[] = SAMPLE_CLUSTERS.map(detailOf);

function detailOf(cluster: ClusterView): ClusterDetail {
  const { state, since } = cluster.connectivity;
  const before = state === "never-seen" ? [] : [change("2026-11-30T08:00:00.000Z", "offline", "online", "a beat came")];
  const silent = state === "offline" ? [change(since, "late", "offline", "nothing was heard for 120 s")] : [];
  const fields = Object.keys(cluster.record).map((field) => [field, originOf(field, cluster)]);
  return {
    ...cluster,
    fields: Object.fromEntries(fields),
    history: {
      since: "2026-11-23T12:00:00.000Z",
      uptime: state === "never-seen" ? null : state === "offline" ? 0.99996 : 1,
      outages: silent.length,
      transitions: [...silent, ...before],
    },
  };
}

function change(at: string, from: string, to: string, reason: string) {
  return { at, type: "connectivity", from, to, reason };
}

/** Nodes are read with the report; add-ons were not lately, where a cluster is offline. */
function originOf(field: string, { mode, observedAt, receivedAt, connectivity }: ClusterView): FieldOrigin {
  const registered = "2026-11-01T12:00:00.000Z";
  const set = ["fingerprint", "incarnation", "labels", "cost_center", "owner_team", "environment"].includes(field);
  if (set)
    return { source: "registry", resources: [], state: "current", observedAt: registered, receivedAt: registered };
  const source = mode === "push" ? "agent" : "pull";
  if (field.startsWith("k8s_")) return { source, resources: ["version"], state: "current", observedAt, receivedAt };
  const state = connectivity.state === "offline" ? "stale" : "current";
  return { source, resources: ["nodes"], state, observedAt, receivedAt };
}

/** `GET /api/v1/clusters` of the sample. */
export const SAMPLE_LIST: ClusterList = {
  items: [...SAMPLE_CLUSTERS],
  errors: [
    {
      cluster: OFFLINE.name,
      clusterId: OFFLINE.id,
      code: "cluster_silent",
      message: "edge-7 is offline: nothing was heard of it for 1200 s, so its figures are of before",
      remedy: "Check its agent: kubectl -n plimsoll logs deploy/plimsoll-agent",
      since: "2026-11-30T11:40:00.000Z",
    },
    {
      cluster: NEVER_SEEN.name,
      clusterId: NEVER_SEEN.id,
      code: "cluster_never_seen",
      message: "just-joined is registered and was never heard of",
      remedy: "Check that its agent runs: kubectl -n plimsoll logs deploy/plimsoll-agent",
      since: "2026-11-30T11:59:00.000Z",
    },
  ],
  asOf: AS_OF,
  next: null,
  total: 4,
};

const node = (name: string, cpuUsed: string | null, memoryUsed: string | null) => ({
  cluster: "shop-prod-fra-01",
  clusterId: HEALTHY.id,
  name,
  pool: "general",
  zone: "eu-central-1a",
  instanceType: "m6i.2xlarge",
  cpuAllocatable: "7840",
  cpuRequested: "7200",
  cpuUsed,
  memoryAllocatable: `${31n * GIB}`,
  memoryRequested: `${20n * GIB}`,
  memoryUsed,
  observedAt: "2026-11-30T11:59:30.000Z",
});

/** `GET /api/v1/nodes`: as the hub sorts them. */
export const SAMPLE_NODES = {
  items: [node("ip-10-0-1-17.eu-central-1.compute.internal", "7100", `${18n * GIB}`), node("ip-10-0-1-18", null, null)],
  errors: [],
  asOf: AS_OF,
  next: null,
  total: 12,
};

const namespace = (name: string, hourly: string, cpuUsed: string | null) => ({
  cluster: "shop-prod-fra-01",
  clusterId: HEALTHY.id,
  namespace: name,
  cpuRequested: "12500",
  cpuUsed,
  memoryRequested: `${24n * GIB}`,
  memoryUsed: cpuUsed === null ? null : `${20n * GIB}`,
  hourly,
  currency: "USD",
  coverage: WHOLE,
  observedAt: "2026-11-30T11:59:40.000Z",
});

/** `GET /api/v1/namespaces`. */
export const SAMPLE_NAMESPACES = {
  items: [namespace("checkout", "1.204500001", "6300"), namespace("search", "0.000000001", null)],
  errors: [],
  asOf: AS_OF,
  next: null,
  total: 2,
};

const row = (costCenter: string, namespaceName: string, cpu: string, memory: string, total: string) => ({
  key: { "cost-center": costCenter, namespace: namespaceName },
  cpu,
  memory,
  gpu: "0",
  total,
  currency: "USD",
  coverage: namespaceName === "search" ? WHOLE : LESS,
});

/** `GET /api/v1/cost`: the groups given are fewer than there are, and the sum is of all. */
export const SAMPLE_COST: CostAnswer = {
  items: [
    row("CC-2010", "checkout", "70.5", "29.5", "100"),
    row("__idle__", "__idle__", "30", "10", "40"),
    row("__unallocated__", "search", "0.000000001", "0", "0.000000001"),
  ],
  errors: [],
  asOf: AS_OF,
  next: null,
  total: 5,
  window: { start: "2026-11-29T13:00:00.000Z", end: AS_OF },
  currency: "USD",
  sum: "160.000000001",
  coverage: LESS,
  priceSource: "default",
  upTo: "2026-11-30T11:58:00.000Z",
};
