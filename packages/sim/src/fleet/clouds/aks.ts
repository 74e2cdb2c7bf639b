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

const REGISTRY = "mcr.microsoft.com/oss";
const SPOT_TAINT = { key: "kubernetes.azure.com/scalesetpriority", value: "spot", effect: "NoSchedule" } as const;

/** Azure Kubernetes Service. Versions carry no suffix; the provider id is a path of the resource manager. */
export const aks: CloudProfile = {
  clusterType: "AKS",
  provider: "azure",
  regions: [
    {
      name: "westeurope",
      short: "amsterdam",
      zones: ["westeurope-1", "westeurope-2", "westeurope-3"],
      utcOffsetHours: 1,
    },
    { name: "eastus", short: "newyork", zones: ["eastus-1", "eastus-2"], utcOffsetHours: -5 },
  ],
  releases: [
    { server: "v1.30.100-akslts", kubelet: "v1.30.100-akslts" },
    { server: "v1.32.7", kubelet: "v1.32.7" },
    { server: "v1.33.3", kubelet: "v1.33.3" },
  ],
  osImage: "Ubuntu 22.04.5 LTS",
  kernel: "5.15.0-1092-azure",
  runtime: "containerd://1.7.27-1",
  machines: {
    general: [
      machine("Standard_D8s_v5", 8, 32),
      machine("Standard_D16s_v5", 16, 64),
      machine("Standard_F8s_v2", 8, 16),
    ],
    memory: machine("Standard_E8s_v5", 8, 64),
    gpu: gpuMachine("Standard_NC8as_T4_v3", 8, 56, "Tesla-T4"),
  },
  offersSpot: true,
  offersVirtual: true,
  controlPlaneNodes: 0,
  addOns: [
    onEveryNode("kube-proxy", `${REGISTRY}/kubernetes/kube-proxy:${RELEASE}`, 100, 64),
    onEveryNode("azure-cns", "mcr.microsoft.com/containernetworking/azure-cns:v1.6.29", 40, 250),
    onEveryNode("csi-azuredisk-node", `${REGISTRY}/kubernetes-csi/azuredisk-csi:v1.32.8`, 30, 60),
    onEveryNode("cloud-node-manager", `${REGISTRY}/kubernetes/azure-cloud-node-manager:${RELEASE}`, 50, 50),
    coreDns(`${REGISTRY}/kubernetes/coredns:v1.11.3-8`),
    twice("metrics-server", `${REGISTRY}/kubernetes/metrics-server:v0.7.2-7`, 150, 155),
    ingressNginx(),
  ],
  storage: {
    className: "managed-csi",
    driver: "disk.csi.azure.com",
    volumeHandle: (random) =>
      `/subscriptions/${random.uuid()}/resourceGroups/mc_example/providers/Microsoft.Compute/disks/pvc-${random.uuid()}`,
  },
  pool({ poolName, poolClass, spot, machine: type }) {
    return {
      labels: {
        agentpool: poolName,
        "kubernetes.azure.com/agentpool": poolName,
        "kubernetes.azure.com/mode": poolClass === "general" ? "system" : "user",
        "kubernetes.azure.com/os-sku": "Ubuntu",
        "kubernetes.azure.com/node-image-version": "AKSUbuntu-2204gen2containerd-202508.20.1",
        ...(spot ? { "kubernetes.azure.com/scalesetpriority": "spot" } : {}),
        ...(poolClass === "gpu"
          ? { "kubernetes.azure.com/accelerator": "nvidia", "nvidia.com/gpu.product": type.gpuModel }
          : {}),
      },
      taints: poolClass === "gpu" ? [GPU_TAINT] : spot ? [SPOT_TAINT] : [],
    };
  },
  node(context) {
    const { random, region, clusterName, poolName, poolClass, index } = context;
    if (poolClass === "virtual") {
      const name = "virtual-node-aci-linux";
      return { name, providerId: "", labels: { ...commonLabels(context, name), type: "virtual-kubelet" } };
    }
    const scaleSet = `aks-${poolName}-${clusterName.length}4518203-vmss`;
    const group = `mc_rg-${clusterName}_${clusterName}_${region.name}`;
    const path = `/subscriptions/1f2e3d4c-0000-4000-8000-a5b6c7d8e9f0/resourceGroups/${group}/providers/Microsoft.Compute`;
    const name = `${scaleSet}${index.toString(36).padStart(6, "0")}`;
    return {
      name,
      providerId: `azure://${path}/virtualMachineScaleSets/${scaleSet}/virtualMachines/${index}`,
      labels: {
        ...commonLabels(context, name),
        "kubernetes.azure.com/cluster": group,
        "topology.disk.csi.azure.com/zone": random.hex(1),
      },
    };
  },
};
