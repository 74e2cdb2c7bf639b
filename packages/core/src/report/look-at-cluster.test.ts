import { fromDynamicReport, toDynamicReport } from "@plimsoll/contracts/wire";
import { describe, expect, test } from "vitest";
import { lookAtCluster } from "./look-at-cluster.ts";
import { reportCluster } from "./report-cluster.ts";
import { forbidden, known, sampleFacts, sampleNode, samplePod } from "./sample-facts.ts";

const facts = sampleFacts({
  objects: {
    nodes: [sampleNode("a"), sampleNode("b"), sampleNode("v", { labels: { type: "virtual-kubelet" } })],
    namespaces: [{ metadata: { name: "kube-system", uid: "fingerprint-1" } }],
    pods: [
      samplePod("cart", { node: "a", requests: { cpu: "1" } }),
      samplePod("web", { namespace: "front", node: "b", requests: { cpu: "500m" } }),
      samplePod("waits", { requests: { cpu: "8" } }),
    ],
  },
  usage: known({
    source: "metrics.k8s.io" as const,
    nodes: [
      { node: "a", usage: { cpu: "2", memory: "2Gi" } },
      { node: "b", usage: { cpu: "1", memory: "1Gi" } },
    ],
    pods: [{ namespace: "shop", pod: "cart", usage: { cpu: "250m", memory: "1Gi" } }],
  }),
});

const cpu = (cores: number) => BigInt(cores * 1_000) * 1_000_000n;

describe("a look at a cluster", () => {
  const look = lookAtCluster(facts, "1.2.3");

  test("has the figures of its report", () => {
    const { report } = reportCluster(facts);
    expect(look.capacity).toEqual(report.capacity);
    expect(report.inventory).toMatchObject({ ...look.layer, ...look.detected, agent_version: null });
    expect(look).toMatchObject({ fingerprint: "fingerprint-1", layer: { agent_version: "1.2.3" }, errors: [] });
  });

  test("tells what each node, each namespace and the schedulable nodes together carry", () => {
    const loads = look.loads.map(({ scope, subject, requested, used }) => [
      scope,
      subject,
      requested?.get("cpu"),
      used?.get("cpu") ?? null,
    ]);
    expect(loads).toEqual([
      ["node", "uid-a", cpu(1), cpu(2)],
      ["node", "uid-b", cpu(0.5), cpu(1)],
      ["namespace", "shop", cpu(1), cpu(0.25)],
      ["namespace", "front", cpu(0.5), null],
      ["cluster", "", cpu(1.5), cpu(3)],
    ]);
  });

  test("survives the wire", () => {
    const { layer, detected, capacity } = look;
    const report = { observedAtMs: Date.UTC(2026, 0, 31, 8), layer, detected, capacity, resourceStates: [] };
    expect(fromDynamicReport(toDynamicReport(report))).toEqual(report);
  });

  test("knows no usage of the cluster while one schedulable node reports none", () => {
    const usage = known({ source: "metrics.k8s.io" as const, nodes: [{ node: "a", usage: { cpu: "2" } }], pods: [] });
    const cluster = lookAtCluster({ ...facts, usage }, null).loads.at(-1);
    expect(cluster).toMatchObject({ scope: "cluster", used: null });
  });

  test("carries nothing, and says why, when nodes cannot be read", () => {
    const unread = lookAtCluster(sampleFacts({ objects: { nodes: forbidden("nodes") } }), null);
    expect(unread).toMatchObject({ capacity: null, loads: [], errors: [{ code: "cluster_forbidden" }] });
  });
});
