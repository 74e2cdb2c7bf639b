import { type KubeObject, metadata, secondsBefore } from "./kube-object.ts";
import type { ClusterPlan, NodePlan } from "./plan.ts";
import type { SeededRandom } from "./random.ts";

const DAY = 86_400;

/** A node and what the scheduler of the example needs to know of it. */
export interface BuiltNode {
  readonly plan: NodePlan;
  readonly object: KubeObject;
  readonly name: string;
  readonly cpuMillicores: number;
  readonly memoryMi: number;
}

/** All nodes of a plan. */
export function buildNodes(plan: ClusterPlan, random: SeededRandom): readonly BuiltNode[] {
  let index = -1;
  return plan.nodes.flatMap((pool) =>
    Array.from({ length: pool.count }, () => {
      index += 1;
      return buildNode(plan, pool, index, random);
    }),
  );
}

function buildNode(plan: ClusterPlan, pool: NodePlan, index: number, random: SeededRandom): BuiltNode {
  const zone = plan.zones[index % Math.max(plan.zones.length, 1)] ?? "";
  const address =
    plan.provider === "kind" ? `172.18.0.${index + 2}` : `10.${20 + index}.${(index * 37) % 250}.${(index * 91) % 250}`;
  const name = nodeName(plan, pool, index, address);
  const cpuMillicores = pool.cpu * 1000 - (plan.provider === "kind" ? 0 : 80);
  const memoryMi = Math.floor(pool.memoryGi * 1024 * (plan.provider === "kind" ? 0.98 : 0.92));
  const size = (cpu: string, memory: number) => ({
    cpu,
    "ephemeral-storage": `${pool.state === "virtual" ? 10_485_760 : 83_873_772}Ki`,
    memory: `${memory * 1024}Ki`,
    ...(pool.gpus === undefined ? {} : { "nvidia.com/gpu": String(pool.gpus) }),
    pods: pool.state === "virtual" ? "1000" : "58",
  });
  const object: KubeObject = {
    apiVersion: "v1",
    kind: "Node",
    metadata: metadata(random, name, random.between(5, 90) * DAY, { labels: labelsOf(plan, pool, name, zone) }),
    spec: specOf(plan, pool, index, zone, random),
    status: {
      addresses: [
        { address, type: "InternalIP" },
        { address: name, type: "Hostname" },
      ],
      allocatable: size(`${cpuMillicores}m`, memoryMi),
      capacity: size(String(pool.cpu), Math.floor(pool.memoryGi * 1024 * 0.97)),
      conditions: conditionsOf(pool, random),
      nodeInfo: infoOf(plan, pool, random),
    },
  };
  return { plan: pool, object, name, cpuMillicores, memoryMi };
}

function nodeName(plan: ClusterPlan, pool: NodePlan, index: number, address: string): string {
  if (pool.state === "virtual") return `virtual-kubelet-${plan.zones[0]}`;
  if (plan.provider === "eks") return `ip-${address.replaceAll(".", "-")}.${plan.region}.compute.internal`;
  if (plan.provider === "ack") return `${plan.region}.${address}`;
  return pool.state === "control-plane"
    ? `${plan.name}-control-plane`
    : `${plan.name}-worker${index === 1 ? "" : index}`;
}

function labelsOf(plan: ClusterPlan, pool: NodePlan, name: string, zone: string): Record<string, string> {
  const common = { "kubernetes.io/arch": "amd64", "kubernetes.io/hostname": name, "kubernetes.io/os": "linux" };
  if (plan.provider === "kind") {
    return pool.state === "control-plane" ? { ...common, "node-role.kubernetes.io/control-plane": "" } : common;
  }
  const cloud = {
    ...common,
    "node.kubernetes.io/instance-type": pool.instanceType,
    "topology.kubernetes.io/region": plan.region,
    "topology.kubernetes.io/zone": zone,
    ...(pool.gpus === undefined ? {} : { "nvidia.com/gpu.product": "NVIDIA-A10G" }),
  };
  if (pool.state === "virtual") return { ...cloud, "alibabacloud.com/virtual-node": "true", type: "virtual-kubelet" };
  if (plan.provider === "eks") {
    const capacityType = pool.spot ? "SPOT" : "ON_DEMAND";
    return { ...cloud, "eks.amazonaws.com/capacityType": capacityType, "eks.amazonaws.com/nodegroup": pool.pool };
  }
  const labels = { ...cloud, "alibabacloud.com/nodepool-id": pool.pool };
  return pool.spot ? { ...labels, "node.alibabacloud.com/spot-strategy": "SpotAsPriceGo" } : labels;
}

function specOf(plan: ClusterPlan, pool: NodePlan, index: number, zone: string, random: SeededRandom) {
  const podCIDR = `10.${plan.provider === "kind" ? 244 : 100}.${index}.0/24`;
  const taint = taintOf(pool);
  return {
    ...(plan.provider === "eks" ? {} : { podCIDR, podCIDRs: [podCIDR] }),
    ...(pool.state === "virtual" ? {} : { providerID: providerId(plan, pool, index, zone, random) }),
    ...(taint ? { taints: [taint] } : {}),
    ...(pool.state === "cordoned" ? { unschedulable: true } : {}),
  };
}

function providerId(plan: ClusterPlan, pool: NodePlan, index: number, zone: string, random: SeededRandom): string {
  if (plan.provider === "eks") return `aws:///${zone}/i-0${random.hex(16)}`;
  if (plan.provider === "ack") return `${plan.region}.i-bp1${random.text(17, "abcdefghijklmnopqrstuvwxyz0123456789")}`;
  return `kind://docker/${plan.name}/${nodeName(plan, pool, index, "")}`;
}

function taintOf(pool: NodePlan) {
  if (pool.state === "control-plane") return { effect: "NoSchedule", key: "node-role.kubernetes.io/control-plane" };
  if (pool.state === "virtual")
    return { effect: "NoSchedule", key: "virtual-kubelet.io/provider", value: "alibabacloud" };
  if (pool.state === "cordoned") return { effect: "NoSchedule", key: "node.kubernetes.io/unschedulable" };
  if (pool.state === "NotReady") return { effect: "NoExecute", key: "node.kubernetes.io/unreachable" };
  return pool.gpus === undefined ? undefined : { effect: "NoSchedule", key: "nvidia.com/gpu", value: "present" };
}

function conditionsOf(pool: NodePlan, random: SeededRandom) {
  const lost = pool.state === "NotReady";
  const lastHeartbeatTime = secondsBefore(lost ? 2700 : random.between(5, 280));
  const lastTransitionTime = secondsBefore(lost ? 2650 : 4 * DAY);
  const condition = (type: string, status: string, reason: string, message: string) =>
    lost
      ? {
          lastHeartbeatTime,
          lastTransitionTime,
          message: "Kubelet stopped posting node status.",
          reason: "NodeStatusUnknown",
          status: "Unknown",
          type,
        }
      : { lastHeartbeatTime, lastTransitionTime, message, reason, status, type };
  return [
    condition("MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
    condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
    condition("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
    condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
  ];
}

const SYSTEMS = {
  eks: {
    osImage: "Amazon Linux 2023.8.20250818",
    kernelVersion: "6.12.40-64.114.amzn2023.x86_64",
    containerRuntimeVersion: "containerd://2.0.5",
  },
  ack: {
    osImage: "Alibaba Cloud Linux 3.2104 U11 (OpenAnolis Edition)",
    kernelVersion: "5.10.134-18.al8.x86_64",
    containerRuntimeVersion: "containerd://1.6.39",
  },
  kind: {
    osImage: "Debian GNU/Linux 12 (bookworm)",
    kernelVersion: "6.8.0-71-generic",
    containerRuntimeVersion: "containerd://2.1.3",
  },
} as const;

function infoOf(plan: ClusterPlan, pool: NodePlan, random: SeededRandom) {
  const kubeletVersion = pool.kubelet;
  return {
    architecture: "amd64",
    bootID: random.uid(),
    ...SYSTEMS[plan.provider],
    kubeProxyVersion: kubeletVersion,
    kubeletVersion,
    machineID: random.hex(32),
    operatingSystem: "linux",
    systemUUID: random.uid(),
  };
}
