import { describe, expect, it } from "vitest";
import { indexOwners } from "../capacity/owners.ts";
import { readPodDemand } from "../capacity/pod-demand.ts";
import { readNode } from "../nodes/node-facts.ts";
import { type PodSketch, sampleFacts, sampleNode, samplePod } from "../report/sample-facts.ts";
import { allocateCluster } from "./allocate-cluster.ts";
import { resolveLabel } from "./cost-labels.ts";
import { costReport } from "./cost-report.ts";

const DEPLOYMENT = {
  kind: "StatefulSet",
  metadata: { name: "db", namespace: "shop", uid: "db", labels: { "owner-team": "data", env: "prod" } },
};
const OWNERS = indexOwners(sampleFacts({ objects: { statefulsets: [DEPLOYMENT] } }).objects);
const BY_DB = [{ kind: "StatefulSet", name: "db", uid: "db", controller: true }];
const SOURCES = {
  namespaces: new Map([["shop", { "owner-team": "shop", env: "staging", "cost-center": "cc-1" }]]),
  cluster: { "owner-team": "platform" },
};

function demand(name: string, sketch: PodSketch) {
  const pod = readPodDemand(samplePod(name, { node: "a", requests: { cpu: "1" }, ...sketch }), OWNERS);
  if (!pod) throw new Error("the pod holds nothing");
  return pod;
}

describe("a label", () => {
  it.each([
    ["the pod's own", { labels: { "owner-team": "web" }, owners: BY_DB }, "web", "pod"],
    ["the workload's", { owners: BY_DB }, "data", "workload"],
    ["the namespace's", {}, "shop", "namespace"],
    ["the cluster's", { namespace: "other" }, "platform", "cluster"],
    ["the next level's where it is empty", { labels: { "owner-team": "" } }, "shop", "namespace"],
  ] satisfies [string, PodSketch, string, string][])("is %s", (_, sketch, value, source) => {
    expect(resolveLabel(demand("p", sketch), "owner-team", SOURCES)).toEqual({ value, source });
  });

  it("that no level has is none", () => {
    const found = resolveLabel(demand("p", { namespace: "other" }), "env", SOURCES);
    expect(found).toEqual({ value: null, source: "none" });
  });
});

describe("the cost of a cluster", () => {
  const node = readNode(sampleNode("a", { allocatable: { cpu: "3900m", memory: "16Gi" } }));
  const spot = readNode(sampleNode("s", { labels: { "karpenter.sh/capacity-type": "spot" } }));
  const pods = [demand("p1", {}), demand("p2", { namespace: "other", requests: { cpu: "2" } })];
  const report = costReport(allocateCluster([node, spot], pods, null), { ...SOURCES, cluster: {} }, "request");

  it("is a decimal text per kind", () => {
    expect(report.hourly).toEqual({
      total: "0.235128",
      workloads: "0.094833",
      idle: "0.1371339",
      system: "0.0031611",
    });
  });

  it("goes to namespaces, the dearest first, then to idle and system", () => {
    expect(report.byNamespace).toEqual([
      { name: "other", hourly: "0.063222" },
      { name: "shop", hourly: "0.031611" },
      { name: "__idle__", hourly: "0.1371339" },
      { name: "__system__", hourly: "0.0031611" },
    ]);
  });

  it("goes to label values, and to nobody where there is none", () => {
    expect(report.byLabel["cost-center"]).toEqual([
      { name: "cc-1", hourly: "0.031611" },
      { name: "__unallocated__", hourly: "0.063222" },
      { name: "__idle__", hourly: "0.1371339" },
      { name: "__system__", hourly: "0.0031611" },
    ]);
    expect(Object.keys(report.byLabel)).toEqual(["cost-center", "env", "owner-team"]);
  });

  it("says how many nodes have which price", () => {
    expect(report).toMatchObject({ priceSources: { default: 2 }, pricing: { "on-demand": 1, spot: 1 } });
  });
});
