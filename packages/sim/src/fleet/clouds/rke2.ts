import {
  type CloudProfile,
  commonLabels,
  coreDns,
  ingressNginx,
  machine,
  onEveryNode,
  twice,
} from "../cloud-profile.ts";

/** RKE2 on virtual machines of one's own. */
export const rke2: CloudProfile = {
  clusterType: "RKE2",
  provider: null,
  regions: [
    { name: "dc-south", short: "south", zones: ["rack-3", "rack-4"], utcOffsetHours: 1 },
    { name: "dc-plateau", short: "plateau", zones: ["rack-1"], utcOffsetHours: -7 },
  ],
  releases: [
    { server: "v1.30.14+rke2r1", kubelet: "v1.30.14+rke2r1" },
    { server: "v1.32.6+rke2r1", kubelet: "v1.32.6+rke2r1" },
  ],
  osImage: "SUSE Linux Enterprise Server 15 SP6",
  kernel: "6.4.0-150600.23.53-default",
  runtime: "containerd://2.0.5-k3s1",
  machines: { general: [machine("rke2", 8, 32)], memory: machine("rke2", 8, 64), gpu: null },
  offersSpot: false,
  offersVirtual: false,
  controlPlaneNodes: 3,
  addOns: [
    onEveryNode("rke2-canal", "rancher/hardened-flannel:v0.27.0-build20250611", 250, 128),
    onEveryNode("csi-nfs-node", "registry.k8s.io/sig-storage/nfsplugin:v4.11.0", 30, 60),
    coreDns("rancher/hardened-coredns:v1.12.2-build20250611", "rke2-coredns-rke2-coredns"),
    twice("rke2-metrics-server", "rancher/hardened-k8s-metrics-server:v0.8.0-build20250704", 100, 200),
    ingressNginx("rancher/nginx-ingress-controller:v1.12.4-hardened2"),
  ],
  storage: {
    className: "nfs-csi",
    driver: "nfs.csi.k8s.io",
    volumeHandle: (random) => `nas.south.example#exports/kube#pvc-${random.uuid()}`,
  },
  pool: () => ({ labels: {}, taints: [] }),
  node(context) {
    const name = `${context.region.short}-rke2-${context.poolClass === "control-plane" ? "cp" : "w"}${context.index}`;
    return { name, providerId: `rke2://${name}`, labels: commonLabels(context, name, "rke2") };
  },
};
