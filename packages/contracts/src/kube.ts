/**
 * The part of Kubernetes objects that Plimsoll reads: structural subsets with Kubernetes' own field names, so that a whole
 * object from an API server or a dump is one of these too. `collect` prunes objects to exactly these fields (a slim
 * projection); `core` reads nothing else. Secrets' and ConfigMaps' data, env and commands are never among them.
 */

export interface OwnerReference {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
  readonly uid?: string;
  readonly controller?: boolean;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Only annotations that a rule reads survive the projection. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
}

/** Resource name → quantity text, as Kubernetes writes it ("250m", "1Gi"). Unparsed: `core/quantity` parses. */
export type QuantityTexts = Readonly<Record<string, string>>;

export interface ResourceRequirements {
  readonly requests?: QuantityTexts;
  readonly limits?: QuantityTexts;
}

export interface KubeCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly lastHeartbeatTime?: string;
}

export interface KubeContainer {
  readonly name: string;
  /** Image reference: add-on versions are read from it. */
  readonly image?: string;
  readonly resources?: ResourceRequirements;
  /** Init containers only: "Always" makes it a sidecar. */
  readonly restartPolicy?: string;
}

export interface KubeContainerStatus {
  readonly name: string;
  readonly allocatedResources?: QuantityTexts;
  readonly resources?: ResourceRequirements;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: {
    readonly running?: { readonly startedAt?: string };
    readonly terminated?: { readonly finishedAt?: string; readonly startedAt?: string; readonly reason?: string };
    readonly waiting?: { readonly reason?: string };
  };
}

export interface KubePod {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly nodeName?: string;
    readonly containers: readonly KubeContainer[];
    readonly initContainers?: readonly KubeContainer[];
    readonly overhead?: QuantityTexts;
    /** Pod-level resources. */
    readonly resources?: ResourceRequirements;
    readonly priorityClassName?: string;
    readonly volumes?: readonly {
      readonly name: string;
      readonly persistentVolumeClaim?: { readonly claimName: string };
    }[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly startTime?: string;
    readonly conditions?: readonly KubeCondition[];
    readonly containerStatuses?: readonly KubeContainerStatus[];
    readonly initContainerStatuses?: readonly KubeContainerStatus[];
    readonly allocatedResources?: QuantityTexts;
    readonly resources?: ResourceRequirements;
  };
}

export interface KubeNode {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly providerID?: string;
    readonly unschedulable?: boolean;
    readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect?: string }[];
    readonly podCIDR?: string;
    readonly podCIDRs?: readonly string[];
  };
  readonly status?: {
    readonly capacity?: QuantityTexts;
    readonly allocatable?: QuantityTexts;
    readonly conditions?: readonly KubeCondition[];
    readonly nodeInfo?: {
      readonly kubeletVersion?: string;
      readonly osImage?: string;
      readonly kernelVersion?: string;
      readonly containerRuntimeVersion?: string;
      readonly architecture?: string;
      readonly operatingSystem?: string;
    };
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
  };
}

export interface KubeNamespace {
  readonly metadata: ObjectMeta;
  readonly status?: { readonly phase?: string };
}

/** Deployment, ReplicaSet, StatefulSet, DaemonSet, Job, CronJob: what the owner chain and add-on detection need. */
export interface KubeWorkload {
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec?: {
    readonly replicas?: number;
    readonly template?: {
      readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
      readonly spec?: { readonly containers?: readonly KubeContainer[] };
    };
  };
}

export interface KubePersistentVolumeClaim {
  readonly metadata: ObjectMeta;
  readonly spec?: {
    readonly volumeName?: string;
    readonly storageClassName?: string;
    readonly resources?: ResourceRequirements;
  };
  readonly status?: { readonly phase?: string; readonly capacity?: QuantityTexts };
}

export interface KubePersistentVolume {
  readonly metadata: ObjectMeta;
  readonly spec?: {
    readonly capacity?: QuantityTexts;
    readonly storageClassName?: string;
    readonly claimRef?: { readonly namespace?: string; readonly name?: string; readonly uid?: string };
    readonly csi?: { readonly driver?: string };
  };
  readonly status?: { readonly phase?: string };
}

export interface KubeService {
  readonly metadata: ObjectMeta;
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly clusterIPs?: readonly string[];
  };
}

export interface KubeResourceQuota {
  readonly metadata: ObjectMeta;
  readonly spec?: { readonly hard?: QuantityTexts };
  readonly status?: { readonly hard?: QuantityTexts; readonly used?: QuantityTexts };
}

/** Every object kind that a scan reads, with its slim type. Key = plural resource name of the API. */
export interface KubeObjects {
  readonly nodes: KubeNode;
  readonly namespaces: KubeNamespace;
  readonly pods: KubePod;
  readonly persistentvolumeclaims: KubePersistentVolumeClaim;
  readonly persistentvolumes: KubePersistentVolume;
  readonly services: KubeService;
  readonly resourcequotas: KubeResourceQuota;
  readonly deployments: KubeWorkload;
  readonly replicasets: KubeWorkload;
  readonly statefulsets: KubeWorkload;
  readonly daemonsets: KubeWorkload;
  readonly jobs: KubeWorkload;
  readonly cronjobs: KubeWorkload;
}
export type KubeResource = keyof KubeObjects;
