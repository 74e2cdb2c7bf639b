import type { BuiltNode } from "./build-nodes.ts";
import { type BuiltPod, buildPod } from "./build-pods.ts";
import { type KubeObject, metadata, type ObjectMeta, ownedBy, secondsBefore } from "./kube-object.ts";
import type { WorkloadPlan } from "./plan.ts";
import { NAME_LETTERS, type SeededRandom } from "./random.ts";
import type { Schedule } from "./schedule.ts";

const DAY = 86_400;
const HOUR = 3_600;

/** The objects of one workload. */
export interface BuiltWorkload {
  /** Owners, by the resource that kubectl lists them under. */
  readonly owners: readonly KubeObject[];
  readonly pods: readonly BuiltPod[];
}

/** Builds a workload with everything between it and its pods. */
export function buildWorkload(plan: WorkloadPlan, schedule: Schedule, random: SeededRandom): BuiltWorkload {
  switch (plan.kind) {
    case "Deployment":
      return deployment(plan, schedule, random);
    case "StatefulSet":
      return statefulSet(plan, schedule, random);
    case "DaemonSet":
      return daemonSet(plan, schedule, random);
    case "Job":
      return job(plan, schedule, random);
    default:
      return cronJob(plan, schedule, random);
  }
}

function deployment(plan: WorkloadPlan, schedule: Schedule, random: SeededRandom): BuiltWorkload {
  const age = random.between(20, 200) * DAY;
  const hash = random.text(10, NAME_LETTERS);
  const owner = controller("apps/v1", plan, plan.name, age, random);
  const labels = { ...labelsOf(plan), "pod-template-hash": hash };
  const replicaSet = controller("apps/v1", plan, `${plan.name}-${hash}`, age / 4, random, {
    kind: "ReplicaSet",
    labels,
    ownerReferences: ownedBy(owner),
  });
  const pods = replicas(plan, schedule, (node) => {
    const name = `${replicaSet.metadata.name}-${random.text(5, NAME_LETTERS)}`;
    return buildPod(plan, { name, node, labels, age: random.between(0.1, 5) * DAY, owner: replicaSet }, random);
  });
  return { owners: [owner, replicaSet], pods };
}

function statefulSet(plan: WorkloadPlan, schedule: Schedule, random: SeededRandom): BuiltWorkload {
  const owner = controller("apps/v1", plan, plan.name, random.between(60, 300) * DAY, random);
  let ordinal = -1;
  const pods = replicas(plan, schedule, (node) => {
    ordinal += 1;
    const name = `${plan.name}-${ordinal}`;
    const labels = { ...labelsOf(plan), "apps.kubernetes.io/pod-index": String(ordinal) };
    return buildPod(plan, { name, node, labels, age: random.between(3, 30) * DAY, owner }, random);
  });
  return { owners: [owner], pods };
}

function daemonSet(plan: WorkloadPlan, schedule: Schedule, random: SeededRandom): BuiltWorkload {
  const owner = controller("apps/v1", plan, plan.name, random.between(90, 300) * DAY, random);
  const pods = schedule.machines().map((node) => {
    schedule.take(node, plan);
    const name = `${plan.name}-${random.text(5, NAME_LETTERS)}`;
    return buildPod(plan, { name, node, labels: labelsOf(plan), age: random.between(1, 5) * DAY, owner }, random);
  });
  return { owners: [owner], pods };
}

function job(plan: WorkloadPlan, schedule: Schedule, random: SeededRandom): BuiltWorkload {
  const owner = controller("batch/v1", plan, plan.name, 3 * HOUR, random);
  const pods = replicas(plan, schedule, (node) => {
    const name = `${plan.name}-${random.text(5, NAME_LETTERS)}`;
    return buildPod(plan, { name, node, labels: labelsOf(plan), age: 3 * HOUR, owner }, random);
  });
  return { owners: [owner], pods };
}

/** A CronJob with past Jobs, one pod each, that ended. */
function cronJob(plan: WorkloadPlan, schedule: Schedule, random: SeededRandom): BuiltWorkload {
  const owner = controller("batch/v1", plan, plan.name, 120 * DAY, random, { noReplicas: true });
  const built = Array.from({ length: plan.pods ?? 1 }, (_, past) => {
    const age = (past + 1) * 6 * HOUR;
    const name = `${plan.name}-${29_500_000 - past * 360}`;
    const single = controller("batch/v1", plan, name, age, random, { kind: "Job", ownerReferences: ownedBy(owner) });
    const podName = `${name}-${random.text(5, NAME_LETTERS)}`;
    const [node = undefined] = schedule.machines();
    const ended = secondsBefore(age - 240);
    return {
      single,
      pod: buildPod(plan, { name: podName, node, labels: labelsOf(plan), age, owner: single, ended }, random),
    };
  });
  return { owners: [owner, ...built.map(({ single }) => single)], pods: built.map(({ pod }) => pod) };
}

/** As many pods as the plan asks for on nodes, and those that wait for one. */
function replicas(plan: WorkloadPlan, schedule: Schedule, make: (node: BuiltNode | undefined) => BuiltPod): BuiltPod[] {
  const placed = Array.from({ length: plan.pods ?? 1 }, () => make(schedule.place(plan)));
  return [...placed, ...Array.from({ length: plan.pending?.pods ?? 0 }, () => make(undefined))];
}

interface ControllerMore extends Partial<ObjectMeta> {
  readonly kind?: string;
  readonly noReplicas?: boolean;
}

function controller(
  apiVersion: string,
  plan: WorkloadPlan,
  name: string,
  age: number,
  random: SeededRandom,
  more: ControllerMore = {},
): KubeObject {
  const kind = more.kind ?? plan.kind;
  const labels = more.labels ?? labelsOf(plan);
  const { ownerReferences } = more;
  const hasReplicas = !more.noReplicas && ["Deployment", "ReplicaSet", "StatefulSet"].includes(kind);
  const template = { metadata: { labels }, spec: { containers: [{ image: plan.image, name: plan.name }] } };
  return {
    apiVersion,
    kind,
    metadata: metadata(random, name, age, { labels, namespace: plan.namespace, ownerReferences }),
    spec:
      kind === "CronJob"
        ? { jobTemplate: { spec: { template } }, schedule: "0 */6 * * *", suspend: false }
        : { ...(hasReplicas ? { replicas: (plan.pods ?? 1) + (plan.pending?.pods ?? 0) } : {}), template },
  };
}

function labelsOf(plan: WorkloadPlan): Record<string, string> {
  const key = plan.namespace === "kube-system" ? "k8s-app" : "app.kubernetes.io/name";
  return { [key]: plan.name, ...plan.labels };
}
