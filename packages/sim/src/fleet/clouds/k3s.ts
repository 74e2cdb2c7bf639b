import { type CloudProfile, commonLabels, coreDns, machine, onEveryNode } from "../cloud-profile.ts";

/** K3s at the edge: few small machines, the distribution is its own provider and instance type. */
export const k3s: CloudProfile = {
  clusterType: "K3s",
  provider: null,
  regions: [
    { name: "edge-lyon", short: "lyon", zones: ["store-12"], utcOffsetHours: 1 },
    { name: "edge-osaka", short: "osaka", zones: ["store-7"], utcOffsetHours: 9 },
  ],
  releases: [
    { server: "v1.30.14+k3s1", kubelet: "v1.30.14+k3s1" },
    { server: "v1.32.6+k3s1", kubelet: "v1.32.6+k3s1" },
  ],
  osImage: "SUSE Linux Micro 6.1",
  kernel: "6.4.0-27-default",
  runtime: "containerd://2.0.5-k3s1.32",
  machines: { general: [machine("k3s", 8, 16)], memory: null, gpu: null },
  offersSpot: false,
  offersVirtual: false,
  controlPlaneNodes: 1,
  addOns: [
    onEveryNode("svclb-traefik", "rancher/klipper-lb:v0.4.13", 0, 0),
    coreDns("rancher/mirrored-coredns-coredns:1.12.1"),
    {
      name: "traefik",
      kind: "Deployment",
      image: "rancher/mirrored-library-traefik:3.3.6",
      replicas: 1,
      cpuMillicores: 0,
      memoryMib: 0,
    },
    {
      name: "metrics-server",
      kind: "Deployment",
      image: "rancher/mirrored-metrics-server:v0.7.2",
      replicas: 1,
      cpuMillicores: 100,
      memoryMib: 70,
    },
  ],
  storage: {
    className: "longhorn",
    driver: "driver.longhorn.io",
    volumeHandle: (random) => `pvc-${random.uuid()}`,
  },
  pool: () => ({ labels: {}, taints: [] }),
  node(context) {
    const name = `${context.region.short}-${context.poolClass === "control-plane" ? "server" : "agent"}-${context.index}`;
    return { name, providerId: `k3s://${name}`, labels: commonLabels(context, name, "k3s") };
  },
};
