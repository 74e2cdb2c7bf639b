import type { ApiObject } from "./api-client.ts";
import type { Cluster } from "./cluster-types.ts";
import {
  createObjects,
  cronJob,
  customResource,
  daemonSet,
  deployment,
  job,
  type NewObject,
  type NodeOptions,
  namespace,
  node,
  ownedBy,
  persistentVolume,
  persistentVolumeClaim,
  pod,
  priorityClass,
  resourceQuota,
  runtimeClass,
  service,
  statefulSet,
  storageClass,
} from "./objects.ts";

/** What one cluster of the mixed fleet is made of; the workloads are the same in each, the ground differs. */
export interface MixedCluster {
  readonly gitVersion: string;
  readonly nodes: readonly NodeOptions[];
  /** What runs in kube-system, with the images by which add-ons are known. */
  readonly system: readonly NewObject[];
  readonly csiDriver: string;
  /** Labels of namespaces shop, batch and ml. */
  readonly labels: Readonly<Record<"cost-center" | "env" | "owner-team", string>>;
  /** Replicas of shop/web. */
  readonly webReplicas: number;
}

const SYSTEM_REQUESTS = { requests: { cpu: "100m", memory: "70Mi" }, limits: { memory: "170Mi" } };

function systemDeployment(name: string, image: string): NewObject {
  const containers = [{ image, ...SYSTEM_REQUESTS }];
  const usage = { cpu: "12m", memory: "31Mi" };
  return deployment({
    namespace: "kube-system",
    name,
    replicas: 2,
    labels: { "k8s-app": name },
    pod: { containers, usage },
  });
}

function systemDaemonSet(name: string, image: string): NewObject {
  const containers = [{ image, requests: { cpu: "25m" } }];
  const usage = { cpu: "3m", memory: "24Mi" };
  const tolerations = [{ operator: "Exists", effect: "NoSchedule" }] as const;
  return daemonSet({
    namespace: "kube-system",
    name,
    labels: { "k8s-app": name },
    pod: { containers, usage, tolerations },
  });
}

const EKS_NODE = {
  provider: "aws",
  region: "us-east-1",
  osImage: "Amazon Linux 2023.9.20251117",
  kubeletVersion: "v1.34.2-eks-4f4795d",
  containerRuntime: "containerd://2.1.4",
} as const;
const GKE_NODE = {
  provider: "gcp",
  region: "us-central1",
  osImage: "Container-Optimized OS from Google",
  kubeletVersion: "v1.33.5-gke.1700",
  containerRuntime: "containerd://2.0.6",
} as const;
const OWN_NODE = { kubeletVersion: "v1.36.3", osImage: "Ubuntu 24.04.3 LTS" } as const;

/** The three clusters of the mixed fleet, by name. */
export const MIXED_CONTENTS = {
  "eks-prod": {
    gitVersion: "v1.34.2-eks-4f4795d",
    csiDriver: "ebs.csi.aws.com",
    labels: { "cost-center": "cc-100", env: "prod", "owner-team": "payments" },
    webReplicas: 5,
    nodes: [
      { ...EKS_NODE, name: "ip-10-0-1-11", zone: "us-east-1a", instanceType: "m6i.xlarge", pool: "general" },
      { ...EKS_NODE, name: "ip-10-0-2-12", zone: "us-east-1b", instanceType: "m6i.xlarge", pool: "general" },
      { ...EKS_NODE, name: "ip-10-0-3-13", zone: "us-east-1c", instanceType: "m6i.xlarge", pool: "general" },
      {
        ...EKS_NODE,
        name: "ip-10-0-1-21",
        zone: "us-east-1a",
        instanceType: "m5.large",
        pool: "spot",
        spot: true,
        ...{ cpuCores: 2, memoryGiB: 8 },
      },
      {
        ...EKS_NODE,
        name: "ip-10-0-2-31",
        zone: "us-east-1b",
        instanceType: "m6i.xlarge",
        pool: "general",
        state: "notReady",
      },
      {
        ...EKS_NODE,
        name: "ip-10-0-3-41",
        zone: "us-east-1c",
        instanceType: "m6i.xlarge",
        pool: "general",
        cordoned: true,
        kubeletVersion: "v1.33.5-eks-113cf36",
      },
      {
        ...EKS_NODE,
        name: "ip-10-0-1-51",
        zone: "us-east-1a",
        instanceType: "g5.2xlarge",
        pool: "gpu",
        cpuCores: 8,
        memoryGiB: 32,
        gpus: 1,
      },
      {
        name: "virtual-kubelet",
        virtual: true,
        cpuCores: 1000,
        memoryGiB: 4000,
        pods: 1000,
        kubeletVersion: "v1.34.0-vk",
      },
    ],
    system: [
      systemDeployment("coredns", "602401143452.dkr.ecr.us-east-1.amazonaws.com/eks/coredns:v1.12.4-eksbuild.1"),
      systemDaemonSet("kube-proxy", "602401143452.dkr.ecr.us-east-1.amazonaws.com/eks/kube-proxy:v1.34.2-eksbuild.1"),
      systemDaemonSet("aws-node", "602401143452.dkr.ecr.us-east-1.amazonaws.com/amazon-k8s-cni:v1.20.4"),
      systemDaemonSet("ebs-csi-node", "public.ecr.aws/ebs-csi-driver/aws-ebs-csi-driver:v1.52.1"),
    ],
  },
  "gke-staging": {
    gitVersion: "v1.33.5-gke.1700",
    csiDriver: "pd.csi.storage.gke.io",
    labels: { "cost-center": "cc-200", env: "staging", "owner-team": "search" },
    webReplicas: 3,
    nodes: [
      { ...GKE_NODE, name: "gke-a-1", zone: "us-central1-a", instanceType: "e2-standard-4", pool: "default-pool" },
      { ...GKE_NODE, name: "gke-b-1", zone: "us-central1-b", instanceType: "e2-standard-4", pool: "default-pool" },
      {
        ...GKE_NODE,
        name: "gke-spot-1",
        zone: "us-central1-c",
        instanceType: "n2-standard-8",
        pool: "spot",
        spot: true,
        cpuCores: 8,
        memoryGiB: 32,
        gpus: 2,
      },
      {
        ...GKE_NODE,
        name: "gke-a-2",
        zone: "us-central1-a",
        instanceType: "e2-standard-4",
        pool: "default-pool",
        state: "unknown",
      },
    ],
    system: [
      systemDeployment("kube-dns", "gke.gcr.io/k8s-dns-kube-dns:1.26.2"),
      systemDaemonSet("kube-proxy", "gke.gcr.io/kube-proxy-amd64:v1.33.5-gke.1700"),
      systemDaemonSet("netd", "gke.gcr.io/netd:v0.8.2"),
      systemDaemonSet("pdcsi-node", "gke.gcr.io/gcp-compute-persistent-disk-csi-driver:v1.20.3"),
    ],
  },
  "self-built": {
    gitVersion: "v1.36.3",
    csiDriver: "rook-ceph.rbd.csi.ceph.com",
    labels: { "cost-center": "cc-300", env: "dev", "owner-team": "platform" },
    webReplicas: 2,
    nodes: [
      { ...OWN_NODE, name: "control-1", controlPlane: true, podCIDR: "10.244.0.0/24" },
      { ...OWN_NODE, name: "worker-1", cpuCores: 8, memoryGiB: 32, podCIDR: "10.244.1.0/24" },
      {
        ...OWN_NODE,
        name: "worker-2",
        cpuCores: 8,
        memoryGiB: 32,
        podCIDR: "10.244.2.0/24",
        kubeletVersion: "v1.33.1",
      },
      { ...OWN_NODE, name: "gpu-1", cpuCores: 32, memoryGiB: 256, gpus: 4, podCIDR: "10.244.3.0/24" },
    ],
    system: [
      systemDeployment("coredns", "registry.k8s.io/coredns/coredns:v1.13.1"),
      systemDaemonSet("kube-proxy", "registry.k8s.io/kube-proxy:v1.36.3"),
      systemDaemonSet("cilium", "quay.io/cilium/cilium:v1.18.4"),
    ],
  },
} as const satisfies Record<string, MixedCluster>;

/** Creates nodes, add-ons and workloads of one mixed cluster; does not wait for them. */
export async function fillMixed(cluster: Cluster, contents: MixedCluster): Promise<void> {
  const driver = contents.csiDriver;
  const made = await createObjects(cluster, [
    ...contents.nodes.map(node),
    ...contents.system,
    storageClass("standard", driver),
    priorityClass("important", 100_000),
    runtimeClass("kata", { cpu: "250m", memory: "160Mi" }),
    customResource("rollouts.example", "Rollout"),
    { apiVersion: "rollouts.example/v1alpha1", kind: "Rollout", metadata: { namespace: "ml", name: "canary" } },
    ...["shop", "batch", "ml"].map((name) => namespace(name, contents.labels)),
    namespace("sandbox"),
    ...shop(contents.webReplicas, driver),
    ...batch(),
    ...machineLearning(),
    ...sandbox(driver),
  ]);
  await createObjects(cluster, ownedPods(made, contents));
}

/** A web tier with a native sidecar, a database with volumes, a cache in a sandboxed runtime, a quota. */
function shop(webReplicas: number, driver: string): NewObject[] {
  const volumes = [0, 1].map((index) => ({ namespace: "shop", claim: `data-db-${index}`, storage: "20Gi", driver }));
  return [
    resourceQuota("shop", "team", { "requests.cpu": "20", "requests.memory": "40Gi", pods: "50" }),
    deployment({
      namespace: "shop",
      name: "web",
      replicas: webReplicas,
      labels: { "app.kubernetes.io/part-of": "storefront" },
      pod: {
        initContainers: [
          { name: "migrate", requests: { cpu: "600m", memory: "64Mi" } },
          {
            name: "mesh",
            sidecar: true,
            requests: { cpu: "50m", memory: "64Mi" },
            limits: { cpu: "200m", memory: "128Mi" },
          },
        ],
        containers: [
          { name: "web", requests: { cpu: "250m", memory: "256Mi" }, limits: { cpu: "1", memory: "512Mi" } },
          { name: "logs", requests: { cpu: "25m", memory: "32Mi" } },
        ],
        usage: { cpu: "140m", memory: "180Mi" },
      },
    }),
    service("shop", "web", { type: "LoadBalancer" }),
    ...volumes.map(persistentVolume),
    statefulSet({
      namespace: "shop",
      name: "db",
      replicas: 2,
      storage: "20Gi",
      pod: {
        priorityClassName: "important",
        containers: [{ requests: { cpu: "500m", memory: "1Gi" }, limits: { cpu: "2", memory: "2Gi" } }],
        usage: { cpu: "730m", memory: "1500Mi" }, // above its request
      },
    }),
    deployment({
      namespace: "shop",
      name: "cache",
      replicas: 2,
      pod: {
        runtimeClassName: "kata",
        containers: [{ requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "256Mi" } }],
        usage: { cpu: "40m", memory: "90Mi" },
      },
    }),
  ];
}

/** Jobs that ended well and badly, a CronJob, and a DaemonSet. */
function batch(): NewObject[] {
  const containers = [{ requests: { cpu: "200m", memory: "128Mi" } }];
  return [
    job({ namespace: "batch", name: "import", completions: 3, pod: { containers } }),
    job({ namespace: "batch", name: "broken", pod: { containers, phase: "Failed" } }),
    cronJob({ namespace: "batch", name: "report", pod: { containers } }),
    daemonSet({
      namespace: "batch",
      name: "node-agent",
      pod: { containers: [{ requests: { cpu: "30m", memory: "50Mi" } }] },
    }),
  ];
}

/** A GPU workload, one with pod-level resources, and one that fits nowhere. */
function machineLearning(): NewObject[] {
  const gpu = { "nvidia.com/gpu": "1" };
  return [
    deployment({
      namespace: "ml",
      name: "trainer",
      pod: {
        tolerations: [{ key: "nvidia.com/gpu", operator: "Exists" }],
        containers: [{ requests: { cpu: "2", memory: "4Gi", ...gpu }, limits: { memory: "8Gi", ...gpu } }],
        usage: { cpu: "1800m", memory: "3500Mi" },
      },
    }),
    deployment({
      namespace: "ml",
      name: "notebook",
      pod: {
        resources: { requests: { cpu: "500m", memory: "512Mi" }, limits: { cpu: "1", memory: "1Gi" } },
        containers: [{ requests: { cpu: "100m" } }, {}],
        usage: { cpu: "20m", memory: "200Mi" },
      },
    }),
    deployment({
      namespace: "ml",
      name: "too-big",
      pod: { containers: [{ requests: { cpu: "500", memory: "900Gi" } }] },
    }),
  ];
}

/** A namespace without labels: pods without requests, of no owner, ended, never started; a claim without a volume. */
function sandbox(driver: string): NewObject[] {
  const requests = { cpu: "150m", memory: "100Mi" };
  return [
    deployment({
      namespace: "sandbox",
      name: "best-effort",
      replicas: 2,
      pod: { usage: { cpu: "5m", memory: "15Mi" } },
    }),
    pod("sandbox", "bare", { containers: [{ requests }] }),
    pod("sandbox", "done", { containers: [{ requests }], phase: "Succeeded" }),
    pod("sandbox", "starting", { containers: [{ requests }], phase: "Pending" }),
    persistentVolumeClaim({ namespace: "sandbox", claim: "unbound", storage: "5Gi", driver }),
  ];
}

/** Pods whose owner must exist first: a run of the CronJob, a static pod, a custom resource's, and pods placed by hand. */
function ownedPods(made: readonly ApiObject[], contents: MixedCluster): NewObject[] {
  const report = made.find(({ kind, metadata }) => kind === "CronJob" && metadata.name === "report");
  const host = made.find(({ kind }) => kind === "Node");
  const rollout = made.find(({ kind }) => kind === "Rollout");
  if (!report || !host || !rollout) throw new Error("no CronJob, no node or no Rollout was made");
  const containers = [{ requests: { cpu: "100m", memory: "64Mi" } }];
  const placed = contents.nodes
    .filter(({ state, cordoned, virtual }) => (state !== undefined && state !== "ready") || cordoned || virtual)
    .map(({ name }) => pod("sandbox", `placed-on-${name}`, { containers, nodeName: name, tolerations: "all" }));
  return [
    job({ namespace: "batch", name: "report-29000000", owner: ownedBy(report), pod: { containers } }),
    pod("kube-system", `kube-proxy-static-${host.metadata.name}`, {
      containers,
      nodeName: host.metadata.name,
      tolerations: "all",
      owner: ownedBy(host),
    }),
    pod("ml", "canary-0", { containers, owner: ownedBy(rollout) }),
    ...placed,
  ];
}
