/** What an example cluster is made of, in the fewest words; `buildCluster` makes Kubernetes objects of it. */
export interface ClusterPlan {
  readonly name: string;
  readonly seed: number;
  /** What `/version` answers. */
  readonly version: string;
  readonly provider: "eks" | "ack" | "kind";
  readonly region: string;
  readonly zones: readonly string[];
  readonly nodes: readonly NodePlan[];
  readonly namespaces: readonly NamespacePlan[];
  readonly workloads: readonly WorkloadPlan[];
}

/** A pool of equal nodes. */
export interface NodePlan {
  readonly pool: string;
  readonly count: number;
  readonly instanceType: string;
  readonly cpu: number;
  readonly memoryGi: number;
  readonly gpus?: number;
  readonly spot?: boolean;
  readonly state?: "NotReady" | "cordoned" | "virtual" | "control-plane";
  /** Differs from the server's where nodes lag behind. */
  readonly kubelet: string;
}

export interface NamespacePlan {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** A quota on requests.cpu, in cores. */
  readonly quotaCores?: number;
}

export interface WorkloadPlan {
  readonly kind: "Deployment" | "StatefulSet" | "DaemonSet" | "Job" | "CronJob";
  readonly namespace: string;
  readonly name: string;
  /** Pods; a DaemonSet has one per machine, a CronJob so many past jobs. */
  readonly pods?: number;
  readonly image: string;
  /** Requests: millicores and MiB; 0 = none is set. */
  readonly cpu: number;
  readonly memory: number;
  /** Limits are this many times the requests; absent = no limits. */
  readonly limitFactor?: number;
  readonly gpus?: number;
  /** A native sidecar with 50m and 64Mi. */
  readonly sidecar?: boolean;
  /** An init container that needs so many MiB before the pod starts. */
  readonly initMemory?: number;
  /** GiB of a claim per pod. */
  readonly volumeGi?: number;
  /** Pool that its pods must run on. */
  readonly pool?: string;
  /** Used share of the requests, about. */
  readonly load?: number;
  /** Pods that find no node, beside `pods`, and what the scheduler says of them. */
  readonly pending?: { readonly pods: number; readonly message: string };
  readonly crashing?: boolean;
  /** A service of this type in front. */
  readonly service?: "ClusterIP" | "LoadBalancer";
  readonly labels?: Readonly<Record<string, string>>;
}
