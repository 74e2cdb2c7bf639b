import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { AgentMessageSchema } from "../gen/plimsoll/v1/control_pb.ts";
import { DetectedSchema, DynamicReportSchema } from "../gen/plimsoll/v1/report_pb.ts";
import type { DynamicFacts } from "./dynamic-facts.ts";
import { fromDynamicReport, toDynamicReport } from "./dynamic-report.ts";
import { CONTROL_SERVICE } from "./services.ts";

const AT = Date.UTC(2026, 0, 15, 8);

const known: DynamicFacts = {
  observedAtMs: AT,
  layer: {
    k8s_version: "v1.30.4-eks-a1b2c3d",
    k8s_versions: ["v1.29.8-eks-0000000", "v1.30.4-eks-a1b2c3d"],
    kubelet_version: "v1.29.8",
    kubelet_versions: { "v1.29.8": 7, "v1.30.4": 2 },
    node_os_version: "Amazon Linux 2023",
    node_os_versions: { "Amazon Linux 2023": 9 },
    container_runtime_version: "containerd://1.7.22",
    container_runtime_versions: { "containerd://1.7.22": 9 },
    kube_proxy_version: "v1.30.3",
    coredns_version: "1.11.3",
    cni: "cilium",
    cni_version: "1.16.1",
    csi_drivers: [],
    ingress: "nginx",
    ingress_version: "1.11.2",
    agent_version: "0.2.0",
    node_count: 9,
    node_count_ready: 8,
    node_count_not_ready: 1,
    node_count_cordoned: 0,
    node_count_virtual: 0,
    node_count_spot: 3,
    total_cpu_cores: 72,
    total_memory_gb: 288,
    total_gpus: 0,
    total_pods: 990,
    total_storage_gb: 900,
    health_status: "degraded",
    health_reasons: ["1 of 9 nodes is NotReady"],
  },
  capacity: {
    nodes: {
      total: 9,
      schedulable: 8,
      excluded: { NotReady: 1 },
      excludedFigures: [
        { reason: "NotReady", nodes: 1, capacity: { cpu: 8000n }, allocatable: { cpu: 7910n }, requested: null },
      ],
      reportingUsage: 7,
    },
    resources: {
      memory: {
        unit: "bytes",
        capacity: 2n ** 60n,
        allocatable: 2n ** 60n - 1n,
        requested: 9_007_199_254_740_993n,
        requestedAllocatable: 2n ** 59n,
        limits: 0n,
        limitsPartial: true,
        used: null,
        usedAllocatable: null,
        pending: 0n,
      },
      cpu: {
        unit: "millicores",
        capacity: 72_000n,
        allocatable: 71_190n,
        requested: 40_000n,
        requestedAllocatable: 63_280n,
        limits: null,
        limitsPartial: false,
        used: 12_345n,
        usedAllocatable: 55_370n,
        pending: null,
      },
    },
  },
  resourceStates: [
    { resource: "nodes", state: "current", observedAtMs: AT, errorCode: null },
    { resource: "pods", state: "stale", observedAtMs: AT - 60_000, errorCode: "api_error" },
    { resource: "usage", state: "unreadable", observedAtMs: null, errorCode: "usage_unavailable" },
  ],
  detected: {
    cluster_type: "EKS",
    provider: "aws",
    region: "eu-central-1",
    zones: ["eu-central-1a", "eu-central-1b"],
    api_server_endpoint: "https://10.0.0.1",
    pod_cidr: ["10.1.0.0/16", "fd00::/64"],
    service_cidr: null,
  },
};

const unknown: DynamicFacts = {
  observedAtMs: AT,
  layer: {
    ...known.layer,
    ...nulls("k8s_version", "kubelet_version", "node_os_version", "container_runtime_version", "kube_proxy_version"),
    ...nulls("coredns_version", "cni", "cni_version", "ingress", "ingress_version", "agent_version", "csi_drivers"),
    ...nulls("node_count", "node_count_ready", "node_count_not_ready", "node_count_cordoned", "node_count_virtual"),
    ...nulls("node_count_spot", "total_cpu_cores", "total_memory_gb", "total_gpus", "total_pods", "total_storage_gb"),
    k8s_versions: [],
    kubelet_versions: {},
    node_os_versions: {},
    container_runtime_versions: {},
    health_status: "unknown",
    health_reasons: [],
  },
  capacity: null,
  resourceStates: [],
  detected: {
    cluster_type: "Other",
    ...nulls("provider", "region", "api_server_endpoint", "pod_cidr", "service_cidr"),
    zones: [],
  },
};

test.each([
  ["all known", known],
  ["nothing known", unknown],
  [
    "zero and empty, which are not unknown",
    { ...unknown, layer: { ...unknown.layer, node_count: 0, cni: "", csi_drivers: [] } },
  ],
])("a report with %s comes back as it was", (_, facts) => {
  const message = create(AgentMessageSchema, {
    sequence: 3n,
    body: { case: "dynamicReport", value: toDynamicReport(facts) },
  });
  const { requestSerialize, requestDeserialize } = CONTROL_SERVICE.connect;
  const { body } = requestDeserialize(requestSerialize(message));
  expect(body.case === "dynamicReport" && fromDynamicReport(body.value)).toEqual(facts);
});

test.each<[string, MessageInitShape<typeof DynamicReportSchema>]>([
  ["from the year 1970", { observedAtMs: 0n }],
  ["from the year 3000", { observedAtMs: BigInt(Date.UTC(3000, 0)) }],
  ["with a read in the year 3000", { resourceStates: [{ resource: "pods", observedAtMs: BigInt(Date.UTC(3000, 0)) }] }],
  ["with 2^53 nodes", { nodeCount: 2n ** 53n }],
  ["with a figure of 64 bits", { capacity: { resources: [{ resource: "cpu", capacity: 2n ** 64n - 1n }] } }],
  ["with an unknown reason", { capacity: { excluded: [{ reason: "Bored" }] } }],
  [
    "with an excluded figure of 64 bits",
    { capacity: { excluded: [{ reason: "NotReady", capacity: { byResource: { cpu: 2n ** 63n } } }] } },
  ],
])("a report %s is refused with a code", (_, change) => {
  const report = create(DynamicReportSchema, { observedAtMs: BigInt(AT), ...change });
  expect(() => fromDynamicReport(report)).toThrow(expect.objectContaining({ code: "message_invalid" }));
});

type ResourcesOfReport = NonNullable<DynamicFacts["capacity"]>["resources"];

test.each([
  ["a figure", { ...figuresOf(2n ** 63n) }],
  ["a figure of excluded nodes", { ...figuresOf(1n), excluded: 2n ** 63n }],
])("%s of 64 bits is refused before it is sent", (_, { excluded = 1n, resources }) => {
  const nodes = {
    reason: "NotReady",
    nodes: 1,
    capacity: { cpu: excluded },
    allocatable: {},
    requested: null,
  } as const;
  const capacity = { nodes: { ...NO_NODES, excludedFigures: [nodes] }, resources };
  expect(() => toDynamicReport({ ...known, capacity })).toThrow(expect.objectContaining({ code: "message_invalid" }));
});

test("health, read state and cluster type of a later release are unknown, not an error", () => {
  const report = create(DynamicReportSchema, { observedAtMs: BigInt(AT), resourceStates: [{ resource: "pods" }] });
  // As the wire gives them; the schema's types know only this release's.
  Object.assign(report, { healthStatus: 99 });
  Object.assign(report.resourceStates[0] ?? {}, { state: 99 });
  report.detected = create(DetectedSchema, { clusterType: "Later" });
  expect(fromDynamicReport(report)).toMatchObject({
    layer: { health_status: "unknown" },
    resourceStates: [{ state: "unknown" }],
    detected: { cluster_type: "Other" },
  });
});

const NO_NODES = { total: 0, schedulable: 0, excluded: {}, reportingUsage: 0 };

function figuresOf(requested: bigint): { readonly excluded?: bigint; readonly resources: ResourcesOfReport } {
  const cpu = known.capacity?.resources.cpu;
  return { resources: cpu ? { cpu: { ...cpu, requested } } : {} };
}

function nulls<K extends string>(...keys: readonly K[]): Record<K, null> {
  return Object.fromEntries(keys.map((key) => [key, null])) as Record<K, null>;
}
