import {
  type CloudProfile,
  commonLabels,
  GPU_TAINT,
  gpuMachine,
  machine,
  onEveryNode,
  twice,
} from "../cloud-profile.ts";

const REGISTRY = "gke.gcr.io";

/** Google Kubernetes Engine with Dataplane V2: no kube-proxy, and kube-dns in place of CoreDNS. */
export const gke: CloudProfile = {
  clusterType: "GKE",
  provider: "gcp",
  regions: [
    {
      name: "us-central1",
      short: "iowa",
      zones: ["us-central1-a", "us-central1-b", "us-central1-f"],
      utcOffsetHours: -6,
    },
    { name: "europe-west1", short: "belgium", zones: ["europe-west1-b", "europe-west1-c"], utcOffsetHours: 1 },
    { name: "asia-east1", short: "taiwan", zones: ["asia-east1-a", "asia-east1-b"], utcOffsetHours: 8 },
  ],
  releases: [
    { server: "v1.30.12-gke.1208000", kubelet: "v1.30.12-gke.1208000" },
    { server: "v1.32.6-gke.1060000", kubelet: "v1.32.6-gke.1060000" },
    { server: "v1.33.4-gke.1036000", kubelet: "v1.33.4-gke.1036000" },
  ],
  osImage: "Container-Optimized OS from Google",
  kernel: "6.6.93+",
  runtime: "containerd://1.7.27",
  machines: {
    general: [machine("e2-standard-8", 8, 32), machine("n2-standard-16", 16, 64), machine("n2-standard-8", 8, 32)],
    memory: machine("n2-highmem-8", 8, 64),
    gpu: gpuMachine("g2-standard-8", 8, 32, "nvidia-l4"),
  },
  offersSpot: true,
  offersVirtual: false,
  controlPlaneNodes: 0,
  addOns: [
    onEveryNode("anetd", `${REGISTRY}/anetd-agent:v1.14.12-gke.58`, 155, 200),
    onEveryNode("pdcsi-node", `${REGISTRY}/gcp-compute-persistent-disk-csi-driver:v1.17.7-gke.4`, 10, 20),
    onEveryNode("gke-metadata-server", `${REGISTRY}/gke-metadata-server:gke_metadata_server_20250701`, 100, 100),
    onEveryNode("fluentbit-gke", `${REGISTRY}/fluent-bit:v1.8.1200-gke.44`, 100, 200),
    twice("kube-dns", `${REGISTRY}/k8s-dns-kube-dns:1.26.4-gke.4`, 260, 110, { "k8s-app": "kube-dns" }),
    twice("metrics-server-v1.32.2", `${REGISTRY}/metrics-server:v0.7.2-gke.17`, 48, 105),
  ],
  storage: {
    className: "standard-rwo",
    driver: "pd.csi.storage.gke.io",
    volumeHandle: (random) => `projects/example-fleet/zones/us-central1-a/disks/pvc-${random.uuid()}`,
  },
  pool({ poolName, poolClass, spot, machine: type }) {
    return {
      labels: {
        "cloud.google.com/gke-nodepool": poolName,
        "cloud.google.com/gke-os-distribution": "cos",
        "cloud.google.com/gke-container-runtime": "containerd",
        "cloud.google.com/machine-family": type.name.slice(0, type.name.indexOf("-")),
        ...(spot ? { "cloud.google.com/gke-spot": "true" } : {}),
        ...(poolClass === "gpu" ? { "cloud.google.com/gke-accelerator": type.gpuModel } : {}),
      },
      taints: poolClass === "gpu" ? [GPU_TAINT] : [],
    };
  },
  node(context) {
    const { random, region, clusterName, poolName, zoneIndex } = context;
    const name = `gke-${clusterName.slice(0, 20)}-${poolName}-${random.hex(8)}-${random.suffix(4)}`;
    const zone = region.zones[zoneIndex] ?? region.zones[0];
    const providerId = `gce://example-fleet/${zone}/${name}`;
    return { name, providerId, labels: { ...commonLabels(context, name), "topology.gke.io/zone": zone } };
  },
};
