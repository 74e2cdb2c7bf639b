import type { ClusterFacts, Reading } from "@plimsoll/contracts";
import { describe, expect, it } from "vitest";
import { readNode } from "../nodes/node-facts.ts";
import { forbidden, sampleFacts, sampleNode } from "../report/sample-facts.ts";
import { clusterHealth } from "./cluster-health.ts";

const nodes = (ready: number, notReady: number) => [
  ...Array.from({ length: ready }, (_, i) => readNode(sampleNode(`ready-${i}`))),
  ...Array.from({ length: notReady }, (_, i) => readNode(sampleNode(`broken-${i}`, { ready: "False" }))),
];

function nothingRead(code: "api_error" | "cluster_unreachable"): ClusterFacts {
  const unread: Reading<never> = { known: false, error: { code, message: "no", remedy: "none" } };
  const facts = sampleFacts({ serverVersions: unread });
  const objects: ClusterFacts["objects"] = {
    ...facts.objects,
    nodes: unread,
    namespaces: unread,
    pods: unread,
    persistentvolumeclaims: unread,
    persistentvolumes: unread,
    services: unread,
    resourcequotas: unread,
    deployments: unread,
    replicasets: unread,
    statefulsets: unread,
    daemonsets: unread,
    jobs: unread,
    cronjobs: unread,
  };
  return { ...facts, objects };
}

describe("a cluster is", () => {
  it("healthy when nothing speaks against it", () => {
    expect(clusterHealth(sampleFacts(), nodes(9, 1), [])).toEqual({ status: "healthy", reasons: [] });
  });

  it.each([
    [0, 1, "1 of 1 node is NotReady (over 10 %)"],
    [8, 1, "1 of 9 nodes is NotReady (over 10 %)"],
    [7, 2, "2 of 9 nodes are NotReady (over 10 %)"],
  ])("degraded when over a tenth of its nodes are NotReady: %i ready, %i not", (ready, notReady, reason) => {
    const health = clusterHealth(sampleFacts(), nodes(ready, notReady), []);
    expect(health).toEqual({ status: "degraded", reasons: [reason] });
  });

  it("degraded when a system component fails", () => {
    const failure = { object: "Deployment/kube-system/coredns", reason: "CrashLoopBackOff", pods: 2 };
    expect(clusterHealth(sampleFacts(), nodes(1, 0), [failure])).toEqual({
      status: "degraded",
      reasons: ["Deployment/kube-system/coredns fails: CrashLoopBackOff (pods: 2)"],
    });
  });

  it("degraded when something could not be read", () => {
    const facts = sampleFacts({ objects: { pods: forbidden("pods"), jobs: forbidden("jobs") } });
    expect(clusterHealth(facts, nodes(1, 0), [])).toEqual({
      status: "degraded",
      reasons: ["not readable: pods, jobs"],
    });
  });

  it("unknown when nothing could be read, unhealthy when it answered nothing but errors", () => {
    expect(clusterHealth(nothingRead("cluster_unreachable"), null, []).status).toBe("unknown");
    expect(clusterHealth(nothingRead("api_error"), null, []).status).toBe("unhealthy");
  });
});
