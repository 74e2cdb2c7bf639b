import type { Seconds } from "../time/seconds.ts";
import type { Amounts } from "./amounts.ts";
import type { NodePool } from "./node-pool.ts";
import type { Labels, PodTemplate } from "./pod-template.ts";

/**
 * What the simulator keeps of an object: little, never changed in place (a change is a new record), and shared where
 * siblings are alike. The Kubernetes object is made of it when somebody asks (`objects/`).
 */
export type ObjectRecord =
  | NodeRecord
  | NamespaceRecord
  | PodRecord
  | ReplicatedRecord
  | DaemonSetRecord
  | JobRecord
  | CronJobRecord
  | ClaimRecord
  | VolumeRecord
  | ServiceRecord
  | QuotaRecord
  | GivenRecord;

export interface OwnerRecord {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

interface RecordBase {
  /** "" for objects without one. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly createdAt: Seconds;
}

export interface NodeRecord extends RecordBase {
  readonly resource: "nodes";
  readonly pool: NodePool;
  readonly labels: Labels;
  readonly providerId: string;
  readonly zone: string;
  readonly address: string;
  readonly podCidr: string;
  readonly kubeletVersion: string;
  readonly ready: boolean;
  /** When `ready` last changed. */
  readonly readySince: Seconds;
  readonly heartbeatAt: Seconds;
  readonly unschedulable: boolean;
}

export interface NamespaceRecord extends RecordBase {
  readonly resource: "namespaces";
  readonly labels: Labels;
  readonly annotations?: Labels;
}

export interface PodRecord extends RecordBase {
  readonly resource: "pods";
  readonly template: PodTemplate;
  /** The template's, with what the controller adds (pod-template-hash, job-name …). */
  readonly labels: Labels;
  readonly owner: OwnerRecord;
  readonly phase: "Pending" | "Running" | "Succeeded" | "Failed";
  readonly node: string | null;
  readonly nodeAddress: string;
  readonly address: string;
  readonly scheduledAt: Seconds | null;
  /** No node had room at this time. */
  readonly unschedulableSince: Seconds | null;
  readonly initializedAt: Seconds | null;
  readonly startedAt: Seconds | null;
  readonly finishedAt: Seconds | null;
  readonly deletionAt: Seconds | null;
  /** Its node says nothing since then. */
  readonly unreachableSince: Seconds | null;
  /** Its node went away under it. */
  readonly disruptedAt: Seconds | null;
  readonly restarts: number;
  /** Name of the claim it mounts. */
  readonly claim: string | null;
  /** Requests of the first container after an in-place resize. */
  readonly resized: Amounts | null;
}

/** Deployment, ReplicaSet or StatefulSet. */
export interface ReplicatedRecord extends RecordBase {
  readonly resource: "deployments" | "replicasets" | "statefulsets";
  readonly template: PodTemplate;
  readonly labels: Labels;
  /** Labels that select its pods. */
  readonly selector: Labels;
  readonly owner: OwnerRecord | null;
  readonly replicas: number;
  readonly ready: number;
  readonly generation: number;
  /** Number of its rollout. */
  readonly revision: number;
}

export interface DaemonSetRecord extends RecordBase {
  readonly resource: "daemonsets";
  readonly template: PodTemplate;
  readonly selector: Labels;
  readonly labels: Labels;
  readonly desired: number;
  readonly ready: number;
}

export interface JobRecord extends RecordBase {
  readonly resource: "jobs";
  readonly template: PodTemplate;
  readonly labels: Labels;
  readonly owner: OwnerRecord | null;
  readonly active: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly startedAt: Seconds;
  readonly finishedAt: Seconds | null;
  readonly outcome: "Complete" | "Failed" | null;
}

export interface CronJobRecord extends RecordBase {
  readonly resource: "cronjobs";
  readonly template: PodTemplate;
  readonly labels: Labels;
  readonly schedule: string;
  readonly lastScheduleAt: Seconds | null;
  readonly active: readonly OwnerRecord[];
}

export interface ClaimRecord extends RecordBase {
  readonly resource: "persistentvolumeclaims";
  readonly labels: Labels;
  readonly storageClass: string;
  readonly gib: number;
  readonly volume: string;
}

export interface VolumeRecord extends RecordBase {
  readonly resource: "persistentvolumes";
  readonly labels: Labels;
  readonly storageClass: string;
  readonly driver: string;
  readonly handle: string;
  readonly gib: number;
  readonly claim: { readonly namespace: string; readonly name: string; readonly uid: string };
  readonly phase: "Bound" | "Released";
}

export interface ServiceRecord extends RecordBase {
  readonly resource: "services";
  readonly labels: Labels;
  readonly selector: Labels;
  readonly type: "ClusterIP" | "LoadBalancer";
  readonly clusterIp: string;
  readonly port: number;
}

export interface QuotaRecord extends RecordBase {
  readonly resource: "resourcequotas";
  readonly labels: Labels;
  readonly hard: Labels;
  readonly used: Labels;
}

/** An object that somebody gave whole (a test), served as it is. */
export interface GivenRecord extends RecordBase {
  readonly resource: "given";
  readonly servedAs: Exclude<ObjectRecord["resource"], "given">;
  readonly labels: Labels;
  readonly object: Readonly<Record<string, unknown>>;
}

/** The resource under which a record is served. */
export function servedAs(record: ObjectRecord): GivenRecord["servedAs"] {
  return record.resource === "given" ? record.servedAs : record.resource;
}
