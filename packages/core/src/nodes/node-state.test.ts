import { describe, expect, it } from "vitest";
import { type NodeSketch, sampleNode } from "../report/sample-facts.ts";
import { exclusionReason, isVirtualNode } from "./node-state.ts";

const CONTROL_PLANE_TAINT = { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" };
const EVERYTHING: NodeSketch = {
  labels: { type: "virtual-kubelet" },
  deletionTimestamp: "2026-01-31T07:00:00Z",
  ready: "False",
  spec: { unschedulable: true, taints: [CONTROL_PLANE_TAINT] },
};

describe("a node is out of whole-cluster figures", () => {
  it.each([
    ["Virtual", EVERYTHING],
    ["Deleting", { ...EVERYTHING, labels: {} }],
    ["NotReady", { ...EVERYTHING, labels: {}, deletionTimestamp: undefined }],
    ["Cordoned", { ...EVERYTHING, labels: {}, deletionTimestamp: undefined, ready: "True" }],
    ["ControlPlane", { spec: { taints: [CONTROL_PLANE_TAINT] } }],
    [null, {}],
  ] satisfies [string | null, NodeSketch][])("under the first reason that applies: %s", (reason, sketch) => {
    expect(exclusionReason(sampleNode("a", sketch), { excludeControlPlane: true })).toBe(reason);
  });

  it("for its control-plane taint only when asked to", () => {
    const node = sampleNode("a", { spec: { taints: [CONTROL_PLANE_TAINT] } });
    expect(exclusionReason(node)).toBeNull();
  });

  it.each(["False", "Unknown"])("when Ready is %s", (ready) => {
    expect(exclusionReason(sampleNode("a", { ready }))).toBe("NotReady");
  });

  it("when it has never reported", () => {
    expect(exclusionReason({ metadata: { name: "a", uid: "a" }, spec: {} })).toBe("NotReady");
  });
});

describe("a virtual node", () => {
  it.each([
    [{ labels: { type: "virtual-kubelet" } }],
    [{ spec: { taints: [{ key: "virtual-kubelet.io/provider", value: "azure", effect: "NoSchedule" }] } }],
    [{ labels: { "eks.amazonaws.com/compute-type": "fargate" } }],
    [{ labels: { "node.kubernetes.io/instance-type": "eklet" } }],
  ] satisfies [NodeSketch][])("is known by label or taint: %j", (sketch) => {
    expect(isVirtualNode(sampleNode("a", sketch))).toBe(true);
  });
});
