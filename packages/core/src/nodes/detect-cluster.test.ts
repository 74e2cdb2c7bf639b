import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type NodeSketch, sampleNode } from "../report/sample-facts.ts";
import { detectCluster } from "./detect-cluster.ts";
import { readNode } from "./node-facts.ts";

function detect(sketches: readonly NodeSketch[], versions: readonly string[] = ["v1.34.2"]) {
  return detectCluster(
    sketches.map((sketch, index) => readNode(sampleNode(`node-${index}`, sketch))),
    versions,
  );
}

const info = (kubeletVersion: string, osImage = "Linux"): Pick<NodeSketch, "nodeInfo"> => ({
  nodeInfo: { kubeletVersion, osImage },
});

describe("a cluster is known as", () => {
  it.each([
    ["EKS", "aws", "v1.29.3-eks-4f4795d", { spec: { providerID: "aws:///us-east-1a/i-0abc1234def567890" } }],
    ["EKS", "aws", "v1.34.2", { labels: { "eks.amazonaws.com/nodegroup": "ng" } }],
    ["GKE", "gcp", "v1.29.3-gke.1282000", {}],
    ["GKE", "gcp", "v1.34.2", { labels: { "cloud.google.com/gke-nodepool": "default" } }],
    ["AKS", "azure", "v1.30.4", { labels: { "kubernetes.azure.com/cluster": "MC_rg" } }],
    ["AKS", "azure", "v1.31.100-akslts", {}],
    ["ACK", "alibaba", "v1.28.3-aliyun.1", { spec: { providerID: "cn-hangzhou.i-bp1abcdefg" } }],
    ["ACK", "alibaba", "v1.34.2", { labels: { "alibabacloud.com/nodepool-id": "np" } }],
    ["TKE", "tencent", "v1.28.3-tke.10", { spec: { providerID: "qcloud:///100003/ins-abcd1234" } }],
    ["TKE", "tencent", "v1.34.2", { labels: { "tke.cloud.tencent.com/nodepool-id": "np" } }],
    ["CCE", "huawei", "v1.27.3-r0-27.0.10", {}],
    ["CCE", "huawei", "v1.34.2", { labels: { "cce.cloud.com/cce-nodepool": "np" } }],
    [
      "OpenShift",
      "aws",
      "v1.27.6+f67aeb3",
      { labels: { "node.openshift.io/os_id": "rhcos" }, spec: { providerID: "aws:///us-east-1a/i-0abc1234def567890" } },
    ],
    ["OpenShift", null, "v1.27.6+f67aeb3", info("v1.27.6+f67aeb3", "Red Hat Enterprise Linux CoreOS 414.92")],
    ["RKE2", null, "v1.28.2+rke2r1", {}],
    ["RKE2", "aws", "v1.28.2+rke2r1", { spec: { providerID: "aws:///us-east-1a/i-0abc1234def567890" } }],
    ["K3s", null, "v1.28.2+k3s1", { spec: { providerID: "k3s://node-1" } }],
    ["SelfBuilt", null, "v1.34.2", { spec: { providerID: "kind://docker/test/test-worker" } }],
    ["SelfBuilt", null, "v1.34.2", {}],
    [
      "SelfBuilt",
      "openstack",
      "v1.34.2",
      { spec: { providerID: "openstack:///5b3f2c1e-0000-4000-8000-123456789abc" } },
    ],
    ["Other", null, "v1.28.3+vmware.1", {}],
    [
      "Other",
      "digitalocean",
      "v1.30.1",
      { labels: { "doks.digitalocean.com/node-pool": "p" }, spec: { providerID: "digitalocean://1" } },
    ],
  ] satisfies [string, string | null, string, NodeSketch][])(
    "%s of %s by %s and %j",
    (type, provider, version, sketch) => {
      expect(detect([sketch], [version])).toMatchObject({ type, provider });
    },
  );

  it("what most of its nodes are when the API server's version does not say it", () => {
    const eks = { labels: { "eks.amazonaws.com/nodegroup": "ng" } };
    const gke = { labels: { "cloud.google.com/gke-nodepool": "np" } };
    expect(detect([gke, eks, eks]).type).toBe("EKS");
    expect(detect([eks, {}, {}]).type).toBe("SelfBuilt");
    expect(detect([eks, {}]).type).toBe("EKS");
  });

  it("the same with a virtual node of another provider in it", () => {
    const virtual = {
      labels: {
        type: "virtual-kubelet",
        "kubernetes.azure.com/cluster": "x",
        "topology.kubernetes.io/region": "westeurope",
        "topology.kubernetes.io/zone": "1",
      },
    };
    const own = { labels: { "topology.kubernetes.io/region": "lab", "topology.kubernetes.io/zone": "rack-1" } };
    expect(detect([virtual, own])).toEqual({ type: "SelfBuilt", provider: null, region: "lab", zones: ["rack-1"] });
  });

  it("what its virtual nodes say when there are no others", () => {
    const fargate = {
      labels: { "eks.amazonaws.com/compute-type": "fargate" },
      spec: { providerID: "aws:///us-east-1a/3f/fargate-ip-10-0-1-2" },
    };
    expect(detect([fargate])).toMatchObject({ type: "EKS", provider: "aws", region: "us-east-1" });
  });

  it("Other when nothing is known of it, and by its version when only that is", () => {
    expect(detect([], [])).toEqual({ type: "Other", provider: null, region: null, zones: [] });
    expect(detect([], ["v1.29.3-gke.1282000"])).toMatchObject({ type: "GKE", provider: "gcp" });
  });

  it("the same whatever the order of its nodes", () => {
    const labels = ["eks.amazonaws.com/nodegroup", "cloud.google.com/gke-nodepool", "topology.kubernetes.io/region"];
    const sketch = fc.record({ labels: fc.dictionary(fc.constantFrom(...labels), fc.constantFrom("a", "b")) });
    fc.assert(
      fc.property(fc.array(sketch, { maxLength: 8 }), (sketches) => {
        expect(detect(sketches.toReversed())).toEqual(detect(sketches));
      }),
    );
  });

  it("standing in the region of most nodes, over all their zones", () => {
    const at = (region: string, zone: string) => ({
      labels: { "topology.kubernetes.io/region": region, "topology.kubernetes.io/zone": zone },
    });
    expect(detect([at("r2", "r2-b"), at("r1", "r1-b"), at("r1", "r1-a")])).toMatchObject({
      region: "r1",
      zones: ["r1-a", "r1-b", "r2-b"],
    });
  });
});
