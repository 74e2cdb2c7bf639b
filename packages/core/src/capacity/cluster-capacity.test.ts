import type { KubeNode, KubePod } from "@plimsoll/contracts";
import { describe, expect, it } from "vitest";
import { readNode } from "../nodes/node-facts.ts";
import { parseResources } from "../quantity/resource-nanos.ts";
import { sampleFacts, sampleNode, samplePod } from "../report/sample-facts.ts";
import { clusterCapacity } from "./cluster-capacity.ts";
import { indexOwners } from "./owners.ts";
import { readPodDemand } from "./pod-demand.ts";
import { requestedByNode } from "./pods-by-node.ts";
import type { UsageFigures } from "./usage-figures.ts";
import { workloadFigures } from "./workload-figures.ts";

const OWNERS = indexOwners(sampleFacts().objects);
const demands = (pods: readonly KubePod[]) => pods.flatMap((pod) => readPodDemand(pod, OWNERS) ?? []);
const facts = (nodes: readonly KubeNode[]) => nodes.map((node) => readNode(node));

function usageOf(nodes: Readonly<Record<string, Readonly<Record<string, string>>>>): UsageFigures {
  const parsed = Object.entries(nodes).map(([node, texts]) => [node, parseResources(texts, node)] as const);
  return { nodes: new Map(parsed), pods: new Map() };
}

function capacity(nodes: readonly KubeNode[], pods: readonly KubePod[] | null, usage: UsageFigures | null = null) {
  return clusterCapacity({ nodes: facts(nodes), pods: pods && demands(pods), usage });
}

const SMALL = { requests: { cpu: "100m", memory: "1Gi" }, limits: { memory: "2Gi" } };

describe("the capacity of a cluster", () => {
  const allocatable = { cpu: "3900m", memory: "15Gi", pods: "110" };
  const nodes = [
    sampleNode("a", { allocatable }),
    sampleNode("b", { allocatable }),
    sampleNode("broken", { ready: "False" }),
    sampleNode("closed", { spec: { unschedulable: true } }),
  ];
  const pods = [
    samplePod("p1", { node: "a", ...SMALL }),
    samplePod("p2", { node: "b", ...SMALL }),
    samplePod("p3", { node: "broken", ...SMALL }),
    samplePod("waiting", SMALL),
    samplePod("done", { node: "a", ...SMALL, status: { phase: "Succeeded" } }),
  ];
  const report = capacity(nodes, pods);

  it("is over schedulable nodes, in numerator and denominator alike", () => {
    expect(report.resources.cpu).toEqual({
      unit: "millicores",
      capacity: 8000n,
      allocatable: 7800n,
      requested: 200n,
      requestedAllocatable: 7800n,
      limits: 0n,
      limitsPartial: true,
      used: null,
      usedAllocatable: null,
      pending: 100n,
    });
    expect(report.resources.memory).toMatchObject({ requested: 2n << 30n, limits: 4n << 30n, limitsPartial: false });
  });

  it("counts pod slots: one for each pod that has not ended", () => {
    expect(report.resources.pods).toMatchObject({ allocatable: 220n, requested: 2n, used: 2n, pending: 1n });
  });

  it("shows excluded nodes by reason with their own figures", () => {
    expect(report.nodes).toMatchObject({ total: 4, schedulable: 2, excluded: { NotReady: 1, Cordoned: 1 } });
    expect(report.nodes.excludedFigures).toMatchObject([
      { reason: "NotReady", nodes: 1, capacity: { cpu: 4000n }, requested: { cpu: 100n, pods: 1n } },
      { reason: "Cordoned", nodes: 1, capacity: { cpu: 4000n }, requested: {} },
    ]);
  });

  it("has unknown requests when pods could not be read, never zero", () => {
    const unread = capacity(nodes, null);
    expect(unread.resources.cpu).toMatchObject({ allocatable: 7800n, requested: null, limits: null, pending: null });
    expect(unread.resources.pods).toMatchObject({ requested: null, used: null });
    expect(unread.nodes.excludedFigures[0]).toMatchObject({ reason: "NotReady", requested: null });
  });

  it("rounds up once, at the end", () => {
    const tiny = { requests: { cpu: "100u", memory: "100m" } };
    const many = Array.from({ length: 15 }, (_, index) => samplePod(`p${index}`, { node: "a", ...tiny }));
    expect(capacity(nodes, many).resources).toMatchObject({ cpu: { requested: 2n }, memory: { requested: 2n } });
  });

  it("carries every resource that a node or a pod names, and no hugepages that nobody set up", () => {
    const gpu = { cpu: "4", memory: "16Gi", pods: "110", "nvidia.com/gpu": "2", "hugepages-2Mi": "0" };
    const asks = { requests: { "nvidia.com/gpu": "1", "example.com/fpga": "1" } };
    const { resources } = capacity([sampleNode("a", { capacity: gpu })], [samplePod("p", { node: "a", ...asks })]);
    expect(Object.keys(resources)).toEqual([
      "cpu",
      "memory",
      "pods",
      "ephemeral-storage",
      "example.com/fpga",
      "nvidia.com/gpu",
    ]);
    expect(resources["nvidia.com/gpu"]).toMatchObject({ unit: "count", allocatable: 2n, requested: 1n });
    expect(resources["example.com/fpga"]).toMatchObject({ allocatable: 0n, requested: 1n });
  });
});

describe("used", () => {
  const nodes = [sampleNode("a"), sampleNode("b"), sampleNode("broken", { ready: "Unknown" })];

  it("is the sum over schedulable nodes when all of them reported", () => {
    const usage = usageOf({ a: { cpu: "1", memory: "1Gi" }, b: { cpu: "1500000001n", memory: "2Gi" } });
    const report = capacity(nodes, [], usage);
    expect(report.resources).toMatchObject({ cpu: { used: 2501n }, memory: { used: 3n << 30n } });
    expect(report.nodes.reportingUsage).toBe(2);
  });

  it("is of those that reported, beside what is allocatable on the same nodes", () => {
    const report = capacity(
      nodes,
      [],
      usageOf({ a: { cpu: "1", memory: "1Gi" }, broken: { cpu: "1", memory: "1Gi" } }),
    );
    const { used, usedAllocatable, allocatable } = report.resources.cpu ?? {};
    expect([used, usedAllocatable, allocatable]).toEqual([1000n, 4000n, 8000n]);
    expect(report.nodes.reportingUsage).toBe(1);
  });

  it("is unknown when none of them did", () => {
    const report = capacity(nodes, [], usageOf({ broken: { cpu: "1", memory: "1Gi" } }));
    expect(report.resources.cpu).toMatchObject({ used: null, usedAllocatable: null });
  });

  it("is unknown when no node is schedulable", () => {
    const report = capacity([sampleNode("broken", { ready: "False" })], [], usageOf({ broken: { cpu: "1" } }));
    expect(report.resources.cpu?.used).toBeNull();
  });
});

describe("requested by node", () => {
  it("sums each node's pods that have not ended, on excluded nodes too", () => {
    const pods = [
      samplePod("p1", { node: "a", ...SMALL }),
      samplePod("p2", { node: "a", requests: { cpu: "250m" } }),
      samplePod("failed", { node: "a", ...SMALL, status: { phase: "Failed" } }),
      samplePod("p3", { node: "broken", ...SMALL }),
      samplePod("waiting", SMALL),
    ];
    const byNode = requestedByNode(demands(pods));
    expect([...byNode.keys()]).toEqual(["a", "broken"]);
    expect(byNode.get("a")).toEqual(
      new Map([
        ["cpu", 350_000_000n],
        ["memory", (1n << 30n) * 1_000_000_000n],
        ["pods", 2_000_000_000n],
      ]),
    );
  });
});

describe("workload figures", () => {
  it("are over counted nodes, one row per workload, sorted", () => {
    const owners = (name: string) => [{ kind: "StatefulSet", name, uid: name, controller: true }];
    const pods = demands([
      samplePod("db-0", { node: "a", owners: owners("db"), ...SMALL }),
      samplePod("db-1", { node: "a", owners: owners("db"), ...SMALL }),
      samplePod("db-2", { node: "broken", owners: owners("db"), ...SMALL }),
      samplePod("bare", { node: "a", requests: { cpu: "1" } }),
    ]);
    const nodes = facts([sampleNode("a"), sampleNode("broken", { ready: "False" })]);
    expect(workloadFigures(pods, nodes)).toEqual([
      { namespace: "shop", workload_type: "Pod", workload_name: "bare", pods: 1, requested: { cpu: 1000n } },
      {
        namespace: "shop",
        workload_type: "StatefulSet",
        workload_name: "db",
        pods: 2,
        requested: { cpu: 200n, memory: 2n << 30n },
      },
    ]);
  });
});
