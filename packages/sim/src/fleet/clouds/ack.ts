import {
  type CloudProfile,
  commonLabels,
  coreDns,
  GPU_TAINT,
  gpuMachine,
  ingressNginx,
  machine,
  onEveryNode,
  RELEASE,
  twice,
} from "../cloud-profile.ts";

const REGISTRY = "registry-vpc.cn-hangzhou.aliyuncs.com/acs";

/** Alibaba Cloud Container Service for Kubernetes. */
export const ack: CloudProfile = {
  clusterType: "ACK",
  provider: "alibaba",
  regions: [
    {
      name: "cn-hangzhou",
      short: "hangzhou",
      zones: ["cn-hangzhou-h", "cn-hangzhou-i", "cn-hangzhou-k"],
      utcOffsetHours: 8,
    },
    { name: "cn-shanghai", short: "shanghai", zones: ["cn-shanghai-b", "cn-shanghai-l"], utcOffsetHours: 8 },
    { name: "ap-southeast-1", short: "singapore", zones: ["ap-southeast-1a", "ap-southeast-1b"], utcOffsetHours: 8 },
  ],
  releases: [
    { server: "v1.30.7-aliyun.1", kubelet: "v1.30.7-aliyun.1" },
    { server: "v1.32.1-aliyun.1", kubelet: "v1.32.1-aliyun.1" },
    { server: "v1.33.3-aliyun.1", kubelet: "v1.33.3-aliyun.1" },
  ],
  osImage: "Alibaba Cloud Linux 3.2104 U12 (OpenAnolis Edition)",
  kernel: "5.10.134-19.1.al8.x86_64",
  runtime: "containerd://1.6.39",
  machines: {
    general: [machine("ecs.g7.2xlarge", 8, 32), machine("ecs.c7.2xlarge", 8, 16), machine("ecs.g7.4xlarge", 16, 64)],
    memory: machine("ecs.r7.2xlarge", 8, 64),
    gpu: gpuMachine("ecs.gn7i-c8g1.2xlarge", 8, 30, "NVIDIA-A10"),
  },
  offersSpot: true,
  offersVirtual: true,
  controlPlaneNodes: 0,
  addOns: [
    onEveryNode("kube-proxy-worker", `${REGISTRY}/kube-proxy:${RELEASE}-aliyun.1`, 100, 64),
    onEveryNode("terway-eniip", `${REGISTRY}/terway:v1.14.2`, 350, 256),
    onEveryNode("csi-plugin", `${REGISTRY}/csi-plugin:v1.33.1-67e8986-aliyun`, 30, 80),
    coreDns(`${REGISTRY}/coredns:v1.11.3.5-5321daf49-aliyun`),
    twice("metrics-server", `${REGISTRY}/metrics-server:v0.3.9.11-f86cd2e-aliyun`, 100, 200),
    twice("nginx-ingress-controller", `${REGISTRY}/aliyun-ingress-controller:v1.11.5-aliyun.1`, 100, 90),
    ingressNginx(),
  ],
  storage: {
    className: "alicloud-disk-topology-alltype",
    driver: "diskplugin.csi.alibabacloud.com",
    volumeHandle: (random) => `d-bp1${random.suffix(17)}`,
  },
  pool({ random, poolClass, spot, machine: type }) {
    const gpu = {
      "aliyun.accelerator/nvidia_name": type.gpuModel,
      "aliyun.accelerator/nvidia_count": String(type.gpus),
    };
    return {
      labels: {
        "alibabacloud.com/nodepool-id": `np${random.hex(32)}`,
        "node.alibabacloud.com/instance-charge-type": "PostPaid",
        ...(spot ? { "node.alibabacloud.com/spot-strategy": "SpotAsPriceGo" } : {}),
        ...(poolClass === "gpu" ? gpu : {}),
      },
      taints: poolClass === "gpu" ? [GPU_TAINT] : [],
    };
  },
  node(context) {
    const { random, region, address, poolClass } = context;
    if (poolClass === "virtual") {
      const zone = region.zones[context.zoneIndex] ?? region.zones[0];
      const name = `virtual-kubelet-${zone}-${random.suffix(4)}`;
      return {
        name,
        providerId: "",
        labels: { ...commonLabels(context, name), type: "virtual-kubelet", "alibabacloud.com/virtual-node": "true" },
      };
    }
    const name = `${region.name}.${address}`;
    return {
      name,
      providerId: `${region.name}.i-bp1${random.suffix(17)}`,
      labels: { ...commonLabels(context, name), "ack.aliyun.com": `c${random.hex(16)}` },
    };
  },
};
