import type { ClusterType } from "@plimsoll/contracts";
import type { NonEmpty } from "../random/non-empty.ts";
import type { Random } from "../random/random.ts";
import type { MachineType, Taint } from "../records/node-pool.ts";
import type { Labels, PoolClass } from "../records/pod-template.ts";

/** A place where a provider has machines. */
export interface Region {
  readonly name: string;
  /** Short form for cluster names. */
  readonly short: string;
  /** Names of its zones, as the value of topology.kubernetes.io/zone. */
  readonly zones: NonEmpty<string>;
  /** Hours east of UTC: when its users are awake. */
  readonly utcOffsetHours: number;
}

/** What /version says, and what the kubelets of the same release say. */
export interface Release {
  readonly server: string;
  readonly kubelet: string;
}

/** A part that the distribution itself runs: in kube-system unless said otherwise. */
export interface AddOn {
  readonly name: string;
  readonly kind: "DaemonSet" | "Deployment";
  readonly image: string;
  readonly replicas: number;
  readonly cpuMillicores: number;
  readonly memoryMib: number;
  readonly namespace?: string;
  /** Further labels of its pods. */
  readonly labels?: Labels;
}

interface PoolContext {
  readonly random: Random;
  readonly clusterName: string;
  readonly region: Region;
  readonly poolName: string;
  readonly poolClass: Exclude<PoolClass, "every-node">;
  readonly spot: boolean;
  readonly machine: MachineType;
}

export interface NodeContext extends PoolContext {
  readonly zoneIndex: number;
  /** Counts the nodes of the cluster. */
  readonly index: number;
  readonly address: string;
}

/** What a provider gives a node: the rest is the same everywhere. */
interface NodeIdentity {
  readonly name: string;
  /** "" where nothing sets one. */
  readonly providerId: string;
  readonly labels: Labels;
}

/** One Kubernetes distribution as its clusters look through their API. */
export interface CloudProfile {
  readonly clusterType: ClusterType;
  /** Name of the provider, null for machines of one's own. */
  readonly provider: string | null;
  readonly regions: NonEmpty<Region>;
  /** Oldest first. */
  readonly releases: NonEmpty<Release>;
  readonly osImage: string;
  readonly kernel: string;
  readonly runtime: string;
  readonly machines: {
    readonly general: NonEmpty<MachineType>;
    readonly memory: MachineType | null;
    readonly gpu: MachineType | null;
  };
  readonly offersSpot: boolean;
  /** Nodes that stand for the provider's serverless containers. */
  readonly offersVirtual: boolean;
  /** Control plane nodes that the API shows; 0 where the provider keeps them. */
  readonly controlPlaneNodes: number;
  readonly addOns: readonly AddOn[];
  readonly storage: { readonly className: string; readonly driver: string; volumeHandle(random: Random): string };
  pool(context: PoolContext): { readonly labels: Labels; readonly taints: readonly Taint[] };
  node(context: NodeContext): NodeIdentity;
}

/** Stands in image names for the release that the cluster runs ("v1.31.4"). */
export const RELEASE = "RELEASE";

/** A machine without GPUs. */
export function machine(name: string, cores: number, memoryGib: number, maxPods = 110): MachineType {
  return { name, cores, memoryGib, gpus: 0, gpuModel: "", maxPods };
}

/** A machine with GPUs. */
export function gpuMachine(name: string, cores: number, memoryGib: number, gpuModel: string, gpus = 1): MachineType {
  return { name, cores, memoryGib, gpus, gpuModel, maxPods: 110 };
}

/** An add-on on every node. */
export function onEveryNode(name: string, image: string, cpuMillicores: number, memoryMib: number): AddOn {
  return { name, kind: "DaemonSet", image, replicas: 0, cpuMillicores, memoryMib };
}

/** An add-on with two replicas. */
export function twice(name: string, image: string, cpuMillicores: number, memoryMib: number, labels?: Labels): AddOn {
  return { name, kind: "Deployment", image, replicas: 2, cpuMillicores, memoryMib, labels };
}

/** CoreDNS, which carries the label k8s-app=kube-dns everywhere. */
export function coreDns(image: string, name = "coredns"): AddOn {
  return twice(name, image, 100, 70, { "k8s-app": "kube-dns" });
}

/** The ingress controller that most clusters run, in its own namespace. */
export function ingressNginx(image = "registry.k8s.io/ingress-nginx/controller:v1.12.1"): AddOn {
  const labels = { "app.kubernetes.io/name": "ingress-nginx", "app.kubernetes.io/component": "controller" };
  return { ...twice("ingress-nginx-controller", image, 100, 256, labels), namespace: "ingress-nginx" };
}

/** Labels that every provider sets. */
export function commonLabels(context: NodeContext, hostname: string, instanceType = context.machine.name): Labels {
  const zone = context.region.zones[context.zoneIndex] ?? context.region.zones[0];
  return {
    "beta.kubernetes.io/arch": "amd64",
    "beta.kubernetes.io/os": "linux",
    "kubernetes.io/arch": "amd64",
    "kubernetes.io/hostname": hostname,
    "kubernetes.io/os": "linux",
    "node.kubernetes.io/instance-type": instanceType,
    "topology.kubernetes.io/region": context.region.name,
    "topology.kubernetes.io/zone": zone,
  };
}

/** Taint of nodes that only run what asks for GPUs. */
export const GPU_TAINT: Taint = { key: "nvidia.com/gpu", value: "present", effect: "NoSchedule" };
