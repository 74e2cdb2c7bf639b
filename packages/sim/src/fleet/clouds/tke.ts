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

const REGISTRY = "ccr.ccs.tencentyun.com/tkeimages";

/** Tencent Kubernetes Engine. Its zones are numbers; its nodes are named by address. */
export const tke: CloudProfile = {
  clusterType: "TKE",
  provider: "tencent",
  regions: [
    { name: "gz", short: "guangzhou", zones: ["100003", "100004", "100006"], utcOffsetHours: 8 },
    { name: "bj", short: "beijing", zones: ["800005", "800007"], utcOffsetHours: 8 },
    { name: "jkt", short: "jakarta", zones: ["750001", "750002"], utcOffsetHours: 7 },
  ],
  releases: [
    { server: "v1.28.3-tke.14", kubelet: "v1.28.3-tke.14" },
    { server: "v1.30.0-tke.12", kubelet: "v1.30.0-tke.12" },
    { server: "v1.32.2-tke.6", kubelet: "v1.32.2-tke.6" },
  ],
  osImage: "TencentOS Server 3.1 (Final)",
  kernel: "5.4.119-19.0009.44",
  runtime: "containerd://1.6.9-tke.8",
  machines: {
    general: [
      machine("S5.2XLARGE32", 8, 32, 61),
      machine("SA5.2XLARGE16", 8, 16, 61),
      machine("S5.4XLARGE64", 16, 64, 61),
    ],
    memory: machine("M5.2XLARGE64", 8, 64, 61),
    gpu: gpuMachine("GN7.2XLARGE32", 8, 32, "NVIDIA-T4"),
  },
  offersSpot: false,
  offersVirtual: true,
  controlPlaneNodes: 0,
  addOns: [
    onEveryNode("kube-proxy", `${REGISTRY}/kube-proxy:${RELEASE}-tke.12`, 50, 64),
    onEveryNode("tke-eni-agent", `${REGISTRY}/tke-eni-agent:v3.7.5`, 100, 100),
    onEveryNode("csi-cbs-node", `${REGISTRY}/csi-tencentcloud-cbs:v2.3.0`, 50, 100),
    coreDns(`${REGISTRY}/coredns:v1.10.1-tke.1`),
    twice("metrics-server", `${REGISTRY}/metrics-server:v0.7.1`, 50, 100),
    ingressNginx(),
  ],
  storage: {
    className: "cbs",
    driver: "com.tencent.cloud.csi.cbs",
    volumeHandle: (random) => `disk-${random.suffix(8)}`,
  },
  pool({ random, poolClass, machine: type }) {
    return {
      labels: {
        "tke.cloud.tencent.com/nodepool-id": `np-${random.suffix(8)}`,
        ...(poolClass === "gpu" ? { "nvidia.com/gpu.product": type.gpuModel } : {}),
      },
      taints: poolClass === "gpu" ? [GPU_TAINT] : [],
    };
  },
  node(context) {
    const { random, region, address, poolClass, zoneIndex } = context;
    if (poolClass === "virtual") {
      const name = `eklet-subnet-${random.suffix(8)}-${random.suffix(5)}`;
      const labels = { ...commonLabels(context, name, "eklet"), type: "virtual-kubelet" };
      return { name, providerId: "", labels };
    }
    const instance = `ins-${random.suffix(8)}`;
    return {
      name: address,
      providerId: `qcloud:///${region.zones[zoneIndex] ?? region.zones[0]}/${instance}`,
      labels: { ...commonLabels(context, address), "cloud.tencent.com/node-instance-id": instance },
    };
  },
};
