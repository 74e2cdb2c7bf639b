import { type ClusterFacts, PlimsollError, parseMoney, reportError, type Usage } from "@plimsoll/contracts";
import { describe, expect, it } from "vitest";
import { reportCluster } from "./report-cluster.ts";
import { type FactsSketch, forbidden, known, sampleFacts, sampleNode, samplePod } from "./sample-facts.ts";

const owners = [{ kind: "ReplicaSet", name: "cart-7d9f", uid: "rs", controller: true }];
const CLUSTER: Required<Pick<FactsSketch, "objects">> = {
  objects: {
    nodes: [sampleNode("a", { allocatable: { cpu: "3900m", memory: "15Gi", pods: "110" } }), sampleNode("b")],
    namespaces: [{ metadata: { name: "kube-system", uid: "fingerprint-1" } }],
    pods: [
      samplePod("cart-1", { node: "a", owners, requests: { cpu: "1", memory: "1Gi" } }),
      samplePod("cart-2", { node: "b", owners, requests: { cpu: "1", memory: "1Gi" } }),
    ],
    replicasets: [
      {
        kind: "ReplicaSet",
        metadata: {
          name: "cart-7d9f",
          namespace: "shop",
          uid: "rs",
          ownerReferences: [{ kind: "Deployment", name: "cart", uid: "d", controller: true }],
        },
      },
    ],
  },
};
const USAGE: Usage = {
  source: "metrics.k8s.io",
  nodes: [
    { node: "a", usage: { cpu: "2", memory: "2Gi" } },
    { node: "b", usage: { cpu: "1", memory: "1Gi" } },
  ],
  pods: [{ namespace: "shop", pod: "cart-1", usage: { cpu: "1500m", memory: "512Mi" } }],
};

const facts = (sketch: FactsSketch = {}): ClusterFacts =>
  sampleFacts({ usage: known(USAGE), ...sketch, objects: { ...CLUSTER.objects, ...sketch.objects } });

describe("the report of a cluster", () => {
  const { report, errors } = reportCluster(facts());

  it("says what it is, how full it is, what it costs and whom", () => {
    expect(errors).toEqual([]);
    expect(report.inventory).toMatchObject({ cluster_id: "fingerprint-1", health_status: "healthy", node_count: 2 });
    expect(report.capacity?.resources.cpu).toMatchObject({ allocatable: 7900n, requested: 2000n, used: 3000n });
    expect(report.workloads).toMatchObject([{ workload_type: "Deployment", workload_name: "cart", pods: 2 }]);
    expect(report.cost?.basis).toBe("max(request, usage)");
  });

  it("charges max(request, usage): 1.5 cores and 1 GiB for a pod that uses more cpu and less memory than it asks for", () => {
    const shop = report.cost?.byNamespace.find(({ name }) => name === "shop")?.hourly;
    expect(parseMoney(shop ?? "")).toBe((31_611_000n * 25n) / 10n + 4_237_000n * 2n);
  });

  it("is the same for the same facts", () => {
    expect(reportCluster(facts())).toEqual({ report, errors });
  });
});

describe("what could not be read", () => {
  const without = (resource: "nodes" | "pods" | "replicasets" | "namespaces") =>
    reportCluster(facts({ objects: { [resource]: forbidden(resource) } }));

  it("nodes: capacity, workloads and cost are unknown, the rest is there", () => {
    const { report, errors } = without("nodes");
    expect(report).toMatchObject({ capacity: null, workloads: null, cost: null });
    expect(report.inventory).toMatchObject({
      node_count: null,
      health_status: "degraded",
      fingerprint: "fingerprint-1",
    });
    expect(errors).toMatchObject([{ cluster: "test", code: "cluster_forbidden" }]);
  });

  it("pods: requests, workloads and cost are unknown, capacity is there", () => {
    const { report, errors } = without("pods");
    expect(report.capacity?.resources.cpu).toMatchObject({ allocatable: 7900n, requested: null, used: 3000n });
    expect(report).toMatchObject({ workloads: null, cost: null });
    expect(errors).toHaveLength(1);
  });

  it("usage: used is unknown, cost is by request, and the error says so", () => {
    const { report, errors } = reportCluster(facts({ usage: forbidden("pods.metrics.k8s.io") }));
    expect(report.capacity?.resources.cpu).toMatchObject({ requested: 2000n, used: null });
    expect(report.cost?.basis).toBe("request");
    expect(report.cost?.hourly.workloads).toBe("0.071696");
    expect(errors).toMatchObject([
      { code: "usage_unavailable", message: expect.stringContaining("No right to list pods.metrics.k8s.io") },
    ]);
  });

  it("usage by the deadline: the error's remedy is more time, not an installation", () => {
    const error = reportError(new PlimsollError("cluster_timeout", { what: "Reading usage of test", seconds: 9 }));
    const { errors } = reportCluster(facts({ usage: { known: false, error } }));
    expect(errors).toMatchObject([{ code: "usage_unavailable", remedy: error.remedy }]);
  });

  it("owners: pods keep their immediate owner", () => {
    const { report, errors } = without("replicasets");
    expect(report.workloads).toMatchObject([{ workload_type: "ReplicaSet", workload_name: "cart-7d9f", pods: 2 }]);
    expect(errors).toHaveLength(1);
  });

  it("the version: it is unknown, and nothing else", () => {
    const { report, errors } = reportCluster(facts({ serverVersions: forbidden("version") }));
    expect(report.inventory.k8s_version).toBeNull();
    expect(report.cost).not.toBeNull();
    expect(errors).toHaveLength(1);
  });

  it("the same reason twice is one error", () => {
    const unread = forbidden("batch");
    expect(reportCluster(facts({ objects: { jobs: unread, cronjobs: unread } })).errors).toHaveLength(1);
  });
});

describe("a cluster without nodes", () => {
  it("has no capacity and no cost, not zeros, and an error", () => {
    const { report, errors } = reportCluster(facts({ objects: { nodes: [] } }));
    expect(report).toMatchObject({ capacity: null, workloads: null, cost: null });
    expect(report.inventory).toMatchObject({ node_count: 0, total_cpu_cores: null });
    expect(report.inventory).toMatchObject({ health_status: "degraded", health_reasons: ["no node was found"] });
    expect(errors).toMatchObject([{ code: "nodes_missing", message: "test has no nodes" }]);
  });
});

describe("an object that cannot be understood", () => {
  it.each([
    [
      "a pod with a blank in a quantity",
      { pods: [samplePod("bad", { node: "a", requests: { memory: "1 Gi" } })] },
      "quantity_invalid",
      'Pod/shop/bad spec.containers[main].resources.requests.memory is "1 Gi"',
    ],
    [
      "a pod with a negative request",
      { pods: [samplePod("bad", { node: "a", requests: { cpu: "-1" } })] },
      "quantity_negative",
      "Pod/shop/bad requests.cpu is -1, below zero",
    ],
    [
      "a pod with a start that is no time",
      { pods: [samplePod("bad", { node: "a", status: { phase: "Running", startTime: "yesterday" } })] },
      "timestamp_invalid",
      'Pod/shop/bad status.startTime is "yesterday"',
    ],
    [
      "a pod that starts on a day that does not exist",
      { pods: [samplePod("bad", { node: "a", status: { phase: "Running", startTime: "2026-02-29T00:00:00Z" } })] },
      "timestamp_invalid",
      'Pod/shop/bad status.startTime is "2026-02-29T00:00:00Z"',
    ],
    [
      "a node with a capacity that is no quantity",
      { nodes: [sampleNode("a"), sampleNode("bad", { capacity: { cpu: "four" } })] },
      "quantity_invalid",
      'Node/bad status.capacity.cpu is "four"',
    ],
  ] satisfies [string, FactsSketch["objects"], string, string][])(
    "%s is left out and named",
    (_, objects, code, message) => {
      const { report, errors } = reportCluster(facts({ objects }));
      expect(errors).toMatchObject([{ cluster: "test", code, message: expect.stringContaining(message) }]);
      expect(errors[0]?.remedy).not.toBe("");
      expect(report.capacity?.resources.cpu?.allocatable).toBeGreaterThan(0n);
      expect(report.cost).not.toBeNull();
    },
  );

  it("and was left out by its reader is an error, for figures lack it; what concerns no figure is not", () => {
    const other = { where: "notes.txt", code: "not_kubernetes", reason: "no Kubernetes objects in it" };
    const reason = "spec.containers is missing";
    const pod = { where: "pods shop/b", code: "object_unusable", reason, resource: "pods" } as const;
    const { report, errors } = reportCluster({ ...facts(), unused: [pod, other] });
    expect(errors).toMatchObject([{ cluster: "test", code: "object_unusable", message: `pods shop/b: ${reason}` }]);
    expect(report.unused).toEqual([other]);
  });

  it("in usage makes that node's figure unknown", () => {
    const usage = known<Usage>({ ...USAGE, nodes: [{ node: "a", usage: { cpu: "much" } }] });
    const { report, errors } = reportCluster(facts({ usage }));
    expect(errors).toMatchObject([{ message: expect.stringContaining('NodeMetrics/a usage.cpu is "much"') }]);
    expect(report.capacity).toMatchObject({ nodes: { reportingUsage: 0 }, resources: { cpu: { used: null } } });
  });

  it("is one of thousands: the first are named, the others counted", () => {
    const pods = Array.from({ length: 5000 }, (_, i) => samplePod(`bad-${i}`, { node: "a", requests: { cpu: "x" } }));
    const { errors } = reportCluster(facts({ objects: { pods } }));
    expect(errors).toHaveLength(21);
    expect(errors.at(-1)).toMatchObject({ code: "object_unusable", message: expect.stringContaining("4980 more") });
  });
});
