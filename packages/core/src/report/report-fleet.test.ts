import { PlimsollError, reportError, type Usage } from "@plimsoll/contracts";
import { describe, expect, it } from "vitest";
import { reportCluster } from "./report-cluster.ts";
import { reportFleet } from "./report-fleet.ts";
import { AS_OF, type FactsSketch, forbidden, known, sampleFacts, sampleNode, samplePod } from "./sample-facts.ts";
import { unreadableCluster } from "./unreadable-cluster.ts";

function cluster(name: string, sketch: FactsSketch = {}, fingerprint = `uid-${name}`) {
  const usage = known<Usage>({
    source: "metrics.k8s.io",
    nodes: [{ node: "a", usage: { cpu: "1", memory: "1Gi" } }],
    pods: [],
  });
  const objects = {
    nodes: [sampleNode("a")],
    namespaces: [{ metadata: { name: "kube-system", uid: fingerprint } }],
    pods: [samplePod("p", { node: "a", requests: { cpu: "1", memory: "1Gi" } })],
    ...sketch.objects,
  };
  return reportCluster(sampleFacts({ name, usage, ...sketch, objects }));
}

const UNREACHABLE = reportError(
  new PlimsollError("cluster_unreachable", { server: "https://dead", reason: "no route", context: "dead" }),
);
const DEAD = { name: "dead", endpoint: "https://dead", errors: [UNREACHABLE] };

describe("the report of a fleet", () => {
  it("has one row per cluster by name, totals and every error", () => {
    const report = reportFleet([cluster("zeta"), cluster("alpha")], [DEAD], AS_OF);
    expect(report).toMatchObject({ apiVersion: "plimsoll.dev/v1", kind: "ScanReport", asOf: AS_OF });
    expect(report.clusters.map(({ inventory }) => inventory.cluster_name)).toEqual(["alpha", "dead", "zeta"]);
    expect(report.errors).toMatchObject([{ cluster: "dead", code: "cluster_unreachable" }]);
    expect(report.fleet).toMatchObject({
      clusters: 3,
      clustersRead: 2,
      nodes: { total: 2, schedulable: 2, reportingUsage: 2 },
      resources: { cpu: { allocatable: 8000n, requested: 2000n, used: 2000n } },
      cost: [{ currency: "USD", clusters: 2, hourly: { total: "0.388472" } }],
    });
  });

  it("adds up excluded nodes by reason, with their figures", () => {
    const nodes = [sampleNode("a"), sampleNode("b", { ready: "False" })];
    const { fleet } = reportFleet(
      [cluster("x", { objects: { nodes } }), cluster("y", { objects: { nodes } })],
      [],
      AS_OF,
    );
    expect(fleet.nodes).toMatchObject({
      excluded: { NotReady: 2 },
      excludedFigures: [{ reason: "NotReady", nodes: 2, capacity: { cpu: 8000n } }],
    });
  });

  it("adds up resources whatever their names are", () => {
    const capacity = { cpu: "4", memory: "16Gi", constructor: "2" };
    const nodes = [sampleNode("a", { capacity }), sampleNode("b", { capacity, ready: "False" })];
    const { fleet } = reportFleet(
      [cluster("x", { objects: { nodes } }), cluster("y", { objects: { nodes } })],
      [],
      AS_OF,
    );
    expect(Object.entries(fleet.resources)).toContainEqual(["constructor", expect.objectContaining({ capacity: 4n })]);
    const [excluded] = fleet.nodes?.excludedFigures ?? [];
    expect(Object.entries(excluded?.capacity ?? {})).toContainEqual(["constructor", 4n]);
  });

  it("sums what is known, beside the allocatable of the same clusters, and leaves out what has no capacity", () => {
    const { fleet } = reportFleet(
      [
        cluster("x"),
        cluster("no-usage", { usage: forbidden("metrics") }),
        cluster("no-nodes", { objects: { nodes: forbidden("nodes") } }),
      ],
      [],
      AS_OF,
    );
    expect(fleet.resources.cpu).toMatchObject({
      allocatable: 8000n,
      requested: 2000n,
      requestedAllocatable: 8000n,
      used: 1000n,
      usedAllocatable: 4000n,
    });
    expect(fleet).toMatchObject({ clusters: 3, clustersRead: 3, nodes: { total: 2, reportingUsage: 1 } });
  });

  it("never adds amounts of different currencies", () => {
    const euro = reportCluster(sampleFacts({ name: "euro", objects: { nodes: [sampleNode("a")] } }), {
      prices: { currency: "EUR", books: [{ source: "custom", ratesOf: () => undefined }] },
    });
    const { fleet } = reportFleet([cluster("x"), euro], [], AS_OF);
    expect(fleet.cost.map(({ currency, clusters }) => [currency, clusters])).toEqual([
      ["EUR", 1],
      ["USD", 1],
    ]);
  });

  it("counts findings by severity", () => {
    const { fleet, clusters } = reportFleet([cluster("x"), cluster("y")], [], AS_OF);
    const all = clusters.flatMap(({ findings }) => findings);
    expect(fleet.findings.info + fleet.findings.warning + fleet.findings.critical).toBe(all.length);
    expect(fleet.findings.info).toBeGreaterThan(0);
  });

  it("has one row for a cluster that was read under several names, of the reading that learned most", () => {
    const poor = cluster("a-poor", { objects: { pods: forbidden("pods") } }, "same");
    const rich = cluster("rich", {}, "same");
    const report = reportFleet([poor, rich, cluster("other", {}, "other")], [], AS_OF);
    expect(report.fleet).toMatchObject({ clusters: 2, nodes: { total: 2 }, resources: { cpu: { requested: 2000n } } });
    expect(report.clusters.map(({ inventory }) => inventory.cluster_name)).toEqual(["other", "rich"]);
    expect(report.errors).toEqual([]);
    const notes = report.clusters.flatMap(({ findings }) =>
      findings.filter(({ code }) => code === "cluster_seen_twice"),
    );
    expect(notes).toEqual([expect.objectContaining({ object: "Cluster/rich", severity: "info" })]);
    expect(notes[0]?.message).toContain("a-poor");
  });

  it("keeps the first by name of readings that learned the same", () => {
    const report = reportFleet([cluster("viewer", {}, "same"), cluster("admin", {}, "same")], [], AS_OF);
    expect(report.clusters.map(({ inventory }) => inventory.cluster_name)).toEqual(["admin"]);
  });

  it("keeps clusters whose fingerprint is unknown apart", () => {
    const unread = { objects: { namespaces: forbidden("namespaces") } };
    expect(reportFleet([cluster("x", unread), cluster("y", unread)], [], AS_OF).fleet.clusters).toBe(2);
  });

  it("of nothing has no totals", () => {
    expect(reportFleet([], [], AS_OF)).toMatchObject({
      clusters: [],
      fleet: { clusters: 0, clustersRead: 0, nodes: null, resources: {}, cost: [] },
    });
  });
});

describe("a cluster that gave nothing", () => {
  it("is a row with its name, health unknown, and null for every figure", () => {
    const row = unreadableCluster("dead", "https://dead", AS_OF);
    expect(row).toMatchObject({ capacity: null, workloads: null, cost: null, findings: [] });
    expect(row.inventory).toMatchObject({
      cluster_id: "dead",
      cluster_name: "dead",
      cluster_type: "Other",
      api_server_endpoint: "https://dead",
      health_status: "unknown",
      node_count: null,
      total_cpu_cores: null,
      k8s_version: null,
      csi_drivers: null,
      observed_at: AS_OF,
    });
    expect(unreadableCluster("dump", null, AS_OF).inventory.api_server_endpoint).toBeNull();
  });
});
