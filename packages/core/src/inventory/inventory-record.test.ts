import type { KubeNode } from "@plimsoll/contracts";
import { describe, expect, it } from "vitest";
import { readNode } from "../nodes/node-facts.ts";
import { AS_OF, type FactsSketch, forbidden, known, sampleFacts, sampleNode } from "../report/sample-facts.ts";
import { inventoryRecord } from "./inventory-record.ts";

const HEALTHY = { status: "healthy", reasons: [] } as const;

function record(sketch: FactsSketch, nodes: readonly KubeNode[] = []) {
  return inventoryRecord(
    sampleFacts(sketch),
    nodes.map((node) => readNode(node)),
    HEALTHY,
  );
}

const kubeSystem = (labels: Record<string, string> = {}) => ({ metadata: { name: "kube-system", uid: "f-1", labels } });

describe("the inventory record", () => {
  it("is identified by the UID of kube-system, or by its name when that could not be read", () => {
    expect(record({ objects: { namespaces: [kubeSystem()] } })).toMatchObject({
      cluster_id: "f-1",
      fingerprint: "f-1",
    });
    const unread = record({ objects: { namespaces: forbidden("namespaces") } });
    expect(unread).toMatchObject({ cluster_id: "test", fingerprint: null });
  });

  it("says where it is from and how old it is", () => {
    expect(record({})).toMatchObject({
      cluster_name: "test",
      api_server_endpoint: "https://10.0.0.1:6443",
      observed_at: AS_OF,
      received_at: null,
    });
    expect(record({ source: { kind: "dump", location: "dumps/a" } }).api_server_endpoint).toBeNull();
  });

  it("has the most common version of each kind, and a count per value", () => {
    const node = (name: string, kubeletVersion: string, osImage: string) =>
      sampleNode(name, { nodeInfo: { kubeletVersion, osImage, containerRuntimeVersion: "containerd://2.0" } });
    const nodes = [node("a", "v1.33.1", "Ubuntu"), node("b", "v1.34.2", "Flatcar"), node("c", "v1.34.2", "Flatcar")];
    expect(record({}, nodes)).toMatchObject({
      kubelet_version: "v1.34.2",
      kubelet_versions: { "v1.33.1": 1, "v1.34.2": 2 },
      node_os_version: "Flatcar",
      node_os_versions: { Flatcar: 2, Ubuntu: 1 },
      container_runtime_version: "containerd://2.0",
    });
  });

  it("has the oldest API server's version and the set of them, compared as numbers", () => {
    const versions = known(["v1.30.1", "v1.29.10", "v1.29.9", ""]);
    expect(record({ serverVersions: versions })).toMatchObject({
      k8s_version: "v1.29.9",
      k8s_versions: ["v1.29.9", "v1.29.10", "v1.30.1"],
    });
    expect(record({ serverVersions: forbidden("version") })).toMatchObject({ k8s_version: null, k8s_versions: [] });
  });

  it("counts nodes by state and adds up the capacity of all but virtual ones, floored", () => {
    const capacity = { cpu: "3900m", memory: "15.9Gi", pods: "110", "ephemeral-storage": "99.5Gi" };
    const nodes = [
      sampleNode("a", { capacity: { ...capacity, "nvidia.com/gpu": "2" } }),
      sampleNode("b", { capacity, ready: "False" }),
      sampleNode("c", { capacity, spec: { unschedulable: true }, labels: { "karpenter.sh/capacity-type": "spot" } }),
      sampleNode("v", { capacity: { cpu: "10k", memory: "40Ti" }, labels: { type: "virtual-kubelet" } }),
    ];
    expect(record({}, nodes)).toMatchObject({
      node_count: 4,
      node_count_ready: 3,
      node_count_not_ready: 1,
      node_count_cordoned: 1,
      node_count_virtual: 1,
      node_count_spot: 1,
      total_cpu_cores: 11,
      total_memory_gb: 47,
      total_gpus: 2,
      total_pods: 330,
      total_storage_gb: 298,
    });
  });

  it("has no total beyond what a number of JSON is exact for, and the others all the same", () => {
    const absurd = sampleNode("a", { capacity: { cpu: "9007199254740992", memory: "1e40", pods: "110" } });
    expect(record({}, [absurd])).toMatchObject({ total_cpu_cores: null, total_memory_gb: null, total_pods: 110 });
    const largest = sampleNode("a", { capacity: { cpu: "9007199254740991" } });
    expect(record({}, [largest])).toMatchObject({ total_cpu_cores: 9_007_199_254_740_991 });
  });

  it("has no totals without nodes, and no counts where nodes could not be read", () => {
    expect(record({})).toMatchObject({ node_count: 0, total_cpu_cores: null });
    const unread = inventoryRecord(sampleFacts({ objects: { nodes: forbidden("nodes") } }), null, HEALTHY);
    expect(unread).toMatchObject({ node_count: null, node_count_ready: null, total_cpu_cores: null, pod_cidr: null });
  });

  it("has the union of the nodes' pod blocks, and no guess of the Service block", () => {
    const nodes = [
      sampleNode("a", { spec: { podCIDR: "10.244.0.0/24", podCIDRs: ["10.244.0.0/24", "fd00::/64"] } }),
      sampleNode("b", { spec: { podCIDR: "10.244.1.0/24" } }),
    ];
    expect(record({}, nodes)).toMatchObject({ pod_cidr: ["10.244.0.0/23", "fd00::/64"], service_cidr: null });
  });

  it("has the labels that kube-system carries, the environment by its agreed name", () => {
    const labels = { env: "prod", "cost-center": "cc-7", "owner-team": "platform", "kubernetes.io/metadata.name": "x" };
    expect(record({ objects: { namespaces: [kubeSystem(labels)] } })).toMatchObject({
      environment: "production",
      cost_center: "cc-7",
      owner_team: "platform",
      labels: { env: "prod", "cost-center": "cc-7", "owner-team": "platform" },
      tenant_id: null,
    });
  });
});
