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

/** A cluster of one's own machines, made with kubeadm: shows its control plane, has no provider id. */
export const kubeadm: CloudProfile = {
  clusterType: "SelfBuilt",
  provider: null,
  regions: [
    { name: "dc-north", short: "north", zones: ["hall-1", "hall-2"], utcOffsetHours: 1 },
    { name: "dc-harbour", short: "harbour", zones: ["room-a", "room-b"], utcOffsetHours: 8 },
  ],
  releases: [
    { server: "v1.29.12", kubelet: "v1.29.12" },
    { server: "v1.31.4", kubelet: "v1.31.4" },
    { server: "v1.34.1", kubelet: "v1.34.1" },
  ],
  osImage: "Ubuntu 24.04.2 LTS",
  kernel: "6.8.0-64-generic",
  runtime: "containerd://2.0.5",
  machines: {
    general: [machine("rack-16c-64g", 16, 64), machine("rack-8c-32g", 8, 32)],
    memory: machine("rack-16c-128g", 16, 128),
    gpu: gpuMachine("rack-16c-128g-l40s", 16, 128, "NVIDIA-L40S", 2),
  },
  offersSpot: false,
  offersVirtual: false,
  controlPlaneNodes: 3,
  addOns: [
    onEveryNode("kube-proxy", `registry.k8s.io/kube-proxy:${RELEASE}`, 0, 0),
    onEveryNode("calico-node", "docker.io/calico/node:v3.29.2", 250, 128),
    onEveryNode("csi-rbdplugin", "quay.io/cephcsi/cephcsi:v3.13.0", 50, 128),
    coreDns("registry.k8s.io/coredns/coredns:v1.11.3"),
    twice("metrics-server", "registry.k8s.io/metrics-server/metrics-server:v0.7.2", 100, 200),
    ingressNginx(),
  ],
  storage: {
    className: "rook-ceph-block",
    driver: "rbd.csi.ceph.com",
    volumeHandle: (random) => `0001-0009-rook-ceph-0000000000000002-${random.uuid()}`,
  },
  pool({ poolClass, machine: type }) {
    if (poolClass !== "gpu") return { labels: {}, taints: [] };
    const labels = { "nvidia.com/gpu.product": type.gpuModel, "nvidia.com/gpu.count": String(type.gpus) };
    return { labels, taints: [GPU_TAINT] };
  },
  node(context) {
    const role = context.poolClass === "control-plane" ? "cp" : context.poolClass === "gpu" ? "gpu" : "node";
    const name = `${context.region.short}-${role}-${String(context.index).padStart(2, "0")}`;
    const { "node.kubernetes.io/instance-type": _, ...labels } = commonLabels(context, name);
    return { name, providerId: "", labels };
  },
};
