import { describe, expect, it } from "vitest";
import { sampleNode } from "../report/sample-facts.ts";
import { readNode } from "./node-facts.ts";
import { isSpotNode } from "./node-placement.ts";

describe("a node's pool", () => {
  it.each([
    ["eks.amazonaws.com/nodegroup"],
    ["karpenter.sh/nodepool"],
    ["cloud.google.com/gke-nodepool"],
    ["kubernetes.azure.com/agentpool"],
    ["alibabacloud.com/nodepool-id"],
    ["tke.cloud.tencent.com/nodepool-id"],
    ["cce.cloud.com/cce-nodepool"],
  ])("is what the provider's label %s says", (label) => {
    const labels = { [label]: "blue", "node.kubernetes.io/instance-type": "m5.large" };
    expect(readNode(sampleNode("a", { labels }))).toMatchObject({ pool: "blue", instanceType: "m5.large" });
  });

  it("is the instance type where no label names a pool", () => {
    expect(readNode(sampleNode("a", { labels: { "beta.kubernetes.io/instance-type": "c6" } })).pool).toBe("c6");
  });

  it("is unknown where nothing says it", () => {
    expect(readNode(sampleNode("a")).pool).toBeNull();
  });
});

describe("a node's region and zone", () => {
  const spec = { providerID: "aws:///us-east-1a/i-0abc1234def567890" };

  it("are what its labels say, old ones too", () => {
    const labels = { "topology.kubernetes.io/region": "r1", "failure-domain.beta.kubernetes.io/zone": "z1" };
    expect(readNode(sampleNode("a", { labels, spec }))).toMatchObject({ region: "r1", zone: "z1" });
  });

  it("come from the provider id where labels are silent", () => {
    expect(readNode(sampleNode("a", { spec }))).toMatchObject({ region: "us-east-1", zone: "us-east-1a" });
  });
});

describe("a spot node", () => {
  it.each([
    ["karpenter.sh/capacity-type", "spot", true],
    ["karpenter.sh/capacity-type", "on-demand", false],
    ["eks.amazonaws.com/capacityType", "SPOT", true],
    ["eks.amazonaws.com/capacityType", "ON_DEMAND", false],
    ["cloud.google.com/gke-spot", "true", true],
    ["cloud.google.com/gke-preemptible", "true", true],
    ["cloud.google.com/gke-provisioning", "standard", false],
    ["kubernetes.azure.com/scalesetpriority", "spot", true],
    ["kubernetes.azure.com/scalesetpriority", "regular", false],
    ["node.alibabacloud.com/spot-strategy", "SpotAsPriceGo", true],
    ["node.alibabacloud.com/spot-strategy", "NoSpot", false],
    ["node.kubernetes.io/lifecycle", "spot", true],
  ])("by %s=%s: %s", (label, value, spot) => {
    expect(isSpotNode(sampleNode("a", { labels: { [label]: value } }))).toBe(spot);
  });
});
