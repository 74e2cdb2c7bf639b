import { type NewObject, type Quantities, STATE_LABEL, type StringMap } from "./object-types.ts";
import { type NodePlace, placeOf } from "./providers.ts";

/** A taint of a node. */
export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
}

/** A node to be played by kwok. Everything but the name has a default. */
export interface NodeOptions extends NodePlace {
  readonly name: string;
  /** Default 4. */
  readonly cpuCores?: number;
  /** Default 16. */
  readonly memoryGiB?: number;
  /** Default 110. */
  readonly pods?: number;
  /** Default 100. */
  readonly ephemeralStorageGiB?: number;
  /** nvidia.com/gpu; default 0: no such resource. */
  readonly gpus?: number;
  /** Wins over what is derived from the numbers above (capacity less 100m, 512 MiB and a tenth of the storage). */
  readonly allocatable?: Quantities;
  /** notReady: its kubelet says so; unknown: its kubelet is silent. Default: ready. */
  readonly state?: "ready" | "notReady" | "unknown";
  readonly cordoned?: boolean;
  /** A virtual-kubelet: label type=virtual-kubelet and its taint. */
  readonly virtual?: boolean;
  /** Role label and taint of a control-plane node. */
  readonly controlPlane?: boolean;
  /** nodeInfo.kubeletVersion; default v1.36.3. */
  readonly kubeletVersion?: string;
  readonly osImage?: string;
  readonly containerRuntime?: string;
  readonly podCIDR?: string;
  readonly labels?: StringMap;
  readonly taints?: readonly Taint[];
}

/** The Node object of `options`, status included: a node is created as its kubelet registers it. */
export function node(options: NodeOptions): NewObject {
  const place = placeOf(options);
  const capacity = capacityOf(options);
  const state = options.state ?? "ready";
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name: options.name,
      labels: { ...commonLabels(options), ...place.labels, ...options.labels },
      annotations: { "metrics.k8s.io/resource-metrics-path": `/metrics/nodes/${options.name}/metrics/resource` },
    },
    spec: {
      ...(place.providerID === undefined ? {} : { providerID: place.providerID }),
      ...(options.cordoned ? { unschedulable: true } : {}),
      ...(options.podCIDR === undefined ? {} : { podCIDR: options.podCIDR, podCIDRs: [options.podCIDR] }),
      taints: taintsOf(options),
    },
    status: {
      capacity,
      allocatable: options.allocatable ?? allocatableOf(options, capacity),
      nodeInfo: nodeInfo(options),
      ...(state === "ready" ? {} : { conditions: badConditions(state) }),
    },
  };
}

function commonLabels(options: NodeOptions): StringMap {
  return {
    "kubernetes.io/hostname": options.name,
    "kubernetes.io/os": "linux",
    "kubernetes.io/arch": "amd64",
    ...(options.virtual ? { type: "virtual-kubelet", "kubernetes.io/role": "agent" } : {}),
    ...(options.controlPlane ? { "node-role.kubernetes.io/control-plane": "" } : {}),
    ...((options.state ?? "ready") === "ready" ? {} : { [STATE_LABEL]: "silent" }),
  };
}

function taintsOf(options: NodeOptions): Taint[] {
  const taints: Taint[] = [...(options.taints ?? [])];
  if (options.virtual) taints.push({ key: "virtual-kubelet.io/provider", value: "testbed", effect: "NoSchedule" });
  if (options.controlPlane) taints.push({ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" });
  if (options.gpus) taints.push({ key: "nvidia.com/gpu", value: "present", effect: "NoSchedule" });
  return taints;
}

const KIB_PER_GIB = 1024 ** 2;

function capacityOf(options: NodeOptions): Quantities {
  return {
    cpu: String(options.cpuCores ?? 4),
    memory: `${(options.memoryGiB ?? 16) * KIB_PER_GIB}Ki`, // kubelets write KiB
    pods: String(options.pods ?? 110),
    "ephemeral-storage": `${(options.ephemeralStorageGiB ?? 100) * KIB_PER_GIB}Ki`,
    "hugepages-2Mi": "0",
    ...(options.gpus ? { "nvidia.com/gpu": String(options.gpus) } : {}),
  };
}

function allocatableOf(options: NodeOptions, capacity: Quantities): Quantities {
  return {
    ...capacity,
    cpu: `${(options.cpuCores ?? 4) * 1000 - 100}m`,
    memory: `${(options.memoryGiB ?? 16) * KIB_PER_GIB - 512 * 1024}Ki`,
    // kubelets write this one as plain bytes
    "ephemeral-storage": String(Math.floor((options.ephemeralStorageGiB ?? 100) * 1024 ** 3 * 0.9)),
  };
}

function nodeInfo(options: NodeOptions): StringMap {
  return {
    kubeletVersion: options.kubeletVersion ?? "v1.36.3",
    kubeProxyVersion: "",
    osImage: options.osImage ?? "Debian GNU/Linux 12 (bookworm)",
    kernelVersion: "6.1.0-28-amd64",
    containerRuntimeVersion: options.containerRuntime ?? "containerd://2.1.4",
    architecture: "amd64",
    operatingSystem: "linux",
    machineID: "",
    systemUUID: "",
    bootID: "",
  };
}

function badConditions(state: "notReady" | "unknown"): object[] {
  const at = new Date().toISOString().replace(/\.\d+Z/, "Z");
  const ready =
    state === "notReady"
      ? { status: "False", reason: "KubeletNotReady", message: "container runtime network not ready" }
      : { status: "Unknown", reason: "NodeStatusUnknown", message: "Kubelet stopped posting node status." };
  return [{ type: "Ready", lastHeartbeatTime: at, lastTransitionTime: at, ...ready }];
}
