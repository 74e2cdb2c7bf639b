import type { KubeWorkload } from "@plimsoll/contracts";
import { describe, expect, it } from "vitest";
import { forbidden, sampleFacts } from "../report/sample-facts.ts";
import { findAddOns } from "./add-ons.ts";

function workload(kind: string, images: readonly string[], namespace = "kube-system"): KubeWorkload {
  const containers = images.map((image, index) => ({ name: `c${index}`, image }));
  const metadata = { name: images[0] ?? "none", namespace, uid: `${kind}-${images.join()}` };
  return { kind, metadata, spec: { template: { spec: { containers } } } };
}

const daemonSets = (...images: readonly string[]) =>
  findAddOns(sampleFacts({ objects: { daemonsets: images.map((image) => workload("DaemonSet", [image])) } }).objects);
const deployments = (...images: readonly string[]) =>
  findAddOns(sampleFacts({ objects: { deployments: images.map((image) => workload("Deployment", [image])) } }).objects);

describe("the network plug-in", () => {
  it.each([
    [
      "602401143452.dkr.ecr.us-east-1.amazonaws.com/amazon-k8s-cni:v1.18.1-eksbuild.3",
      "aws-vpc-cni",
      "v1.18.1-eksbuild.3",
    ],
    ["registry-cn-hangzhou-vpc.ack.aliyuncs.com/acs/terway:v1.9.0", "terway", "v1.9.0"],
    ["quay.io/cilium/cilium:v1.15.0@sha256:01", "cilium", "v1.15.0"],
    ["rancher/mirrored-cilium-cilium:v1.15.0", "cilium", "v1.15.0"],
    ["ghcr.io/flannel-io/flannel:v0.25.1", "flannel", "v0.25.1"],
    ["docker.io/calico/node:v3.27.0", "calico", "v3.27.0"],
    ["rancher/mirrored-calico-node:v3.27.0", "calico", "v3.27.0"],
    ["kindest/kindnetd:v20240202", "kindnet", "v20240202"],
    ["mcr.microsoft.com/containernetworking/azure-cns:v1.5.26", "azure-cni", "v1.5.26"],
    ["kubeovn/kube-ovn:v1.12.0", "kube-ovn", "v1.12.0"],
    ["docker.io/nginx:1.27", null, null],
  ])("of image %s is %s", (image, cni, cniVersion) => {
    expect(daemonSets(image)).toMatchObject({ cni, cniVersion });
  });

  it("is the one that gives addresses, not the one chained to it", () => {
    expect(daemonSets("quay.io/cilium/cilium:v1.15.0", "x.amazonaws.com/amazon-k8s-cni:v1.18.1").cni).toBe(
      "aws-vpc-cni",
    );
  });
});

describe("the other add-ons", () => {
  it("are read from images: kube-proxy, CoreDNS, ingress", () => {
    expect(daemonSets("registry.k8s.io/kube-proxy:v1.34.2").kubeProxyVersion).toBe("v1.34.2");
    expect(deployments("registry.k8s.io/coredns/coredns:v1.11.1").corednsVersion).toBe("v1.11.1");
    expect(deployments("rancher/mirrored-coredns-coredns:1.10.1").corednsVersion).toBe("1.10.1");
    expect(deployments("registry.k8s.io/ingress-nginx/controller:v1.10.0@sha256:01")).toMatchObject({
      ingress: "ingress-nginx",
      ingressVersion: "v1.10.0",
    });
    expect(deployments("rancher/mirrored-library-traefik:2.10.5").ingress).toBe("traefik");
  });

  it("take kube-system's image before a copy in another namespace", () => {
    const daemonsets = [
      workload("DaemonSet", ["mirror/kube-proxy:v1.0.0"], "a-test"),
      workload("DaemonSet", ["registry.k8s.io/kube-proxy:v1.34.2"]),
    ];
    expect(findAddOns(sampleFacts({ objects: { daemonsets } }).objects).kubeProxyVersion).toBe("v1.34.2");
  });

  it("name CSI drivers that are installed and those that volumes use", () => {
    const persistentvolumes = [{ metadata: { name: "pv", uid: "pv" }, spec: { csi: { driver: "csi.example.com" } } }];
    const daemonsets = [workload("DaemonSet", ["public.ecr.aws/ebs-csi-driver/aws-ebs-csi-driver:v1.30.0"])];
    const { objects } = sampleFacts({ objects: { persistentvolumes, daemonsets } });
    expect(findAddOns(objects).csiDrivers).toEqual(["csi.example.com", "ebs.csi.aws.com"]);
  });

  it("are unknown when nothing could be read", () => {
    const unread = forbidden("daemonsets");
    const objects = { daemonsets: unread, deployments: unread, persistentvolumes: unread };
    expect(Object.values(findAddOns(sampleFacts({ objects }).objects)).every((value) => value === null)).toBe(true);
  });
});
