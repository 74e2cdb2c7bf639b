import type { KubePod } from "@plimsoll/contracts";
import { controllerOf, type Owners } from "./owners.ts";

/** What a person deployed: the top of a pod's owner chain. */
export interface Workload {
  readonly namespace: string;
  /** Deployment, StatefulSet, DaemonSet, CronJob, Job, Pod …, or whatever kind the owner has (Rollout, Node). */
  readonly kind: string;
  readonly name: string;
  /** Labels of that object; of the object below it where only that was read; undefined when it has none or neither was. */
  readonly labels: Readonly<Record<string, string>> | undefined;
}

/** Owners that are themselves made by something a person deployed. */
const MADE_BY_CONTROLLERS: ReadonlySet<string> = new Set(["ReplicaSet", "Job"]);

/**
 * The top workload of a pod: Pod → ReplicaSet → Deployment (or Rollout), Pod → Job → CronJob; any other owner as it is; a
 * pod without an owner is its own workload. When the ReplicaSet or Job was not read, it stands for itself: its hash is not
 * guessed away.
 */
export function resolveWorkload(pod: KubePod, owners: Owners): Workload {
  const namespace = pod.metadata.namespace ?? "default";
  const owner = controllerOf(pod.metadata);
  if (!owner) return { namespace, kind: "Pod", name: pod.metadata.name, labels: undefined };
  const direct = owners.find(owner, namespace);
  const parent = MADE_BY_CONTROLLERS.has(owner.kind) ? controllerOf(direct?.metadata) : undefined;
  if (!parent) return { namespace, kind: owner.kind, name: owner.name, labels: direct?.metadata.labels };
  const top = owners.find(parent, namespace) ?? direct;
  return { namespace, kind: parent.kind, name: parent.name, labels: top?.metadata.labels };
}
