import type { BuiltNode } from "./build-nodes.ts";
import { type KubeObject, metadata, ownedBy, secondsBefore } from "./kube-object.ts";
import type { WorkloadPlan } from "./plan.ts";
import type { SeededRandom } from "./random.ts";

/** A pod and what it uses: millicores and KiB; undefined when nothing reports of it. */
export interface BuiltPod {
  readonly object: KubeObject;
  readonly plan: WorkloadPlan;
  readonly node: BuiltNode | undefined;
  readonly usage: { readonly cpu: number; readonly memory: number } | undefined;
}

/** What one pod is. `ended`: when it finished, for pods of past jobs. */
export interface PodSeed {
  readonly name: string;
  readonly node: BuiltNode | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** Seconds. */
  readonly age: number;
  readonly owner: KubeObject;
  readonly ended?: string;
}

/** Builds one pod with the status that its node and plan imply. */
export function buildPod(plan: WorkloadPlan, seed: PodSeed, random: SeededRandom): BuiltPod {
  const { name, node, labels, age, owner, ended } = seed;
  const object: KubeObject = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: metadata(random, name, age, { labels, namespace: plan.namespace, ownerReferences: ownedBy(owner) }),
    spec: specOf(plan, name, node),
    status: node === undefined ? waiting(plan, age) : statusOf(plan, node, age, ended, random),
  };
  const reports = node !== undefined && node.plan.state !== "NotReady" && ended === undefined && !plan.crashing;
  return { object, plan, node, usage: reports ? usageOf(plan, random) : undefined };
}

function specOf(plan: WorkloadPlan, name: string, node: BuiltNode | undefined) {
  const inits = [...(plan.initMemory === undefined ? [] : [init(plan)]), ...(plan.sidecar ? [sidecar(plan)] : [])];
  const claim = { name: "data", persistentVolumeClaim: { claimName: `data-${name}` } };
  const system = plan.namespace === "kube-system" && plan.kind === "DaemonSet";
  return {
    containers: [{ image: plan.image, name: plan.name, resources: resourcesOf(plan) }],
    ...(inits.length === 0 ? {} : { initContainers: inits }),
    ...(node === undefined ? {} : { nodeName: node.name }),
    ...(system ? { priorityClassName: "system-node-critical" } : {}),
    restartPolicy: plan.kind === "Job" || plan.kind === "CronJob" ? "Never" : "Always",
    ...(plan.volumeGi === undefined ? {} : { volumes: [claim] }),
  };
}

function resourcesOf(plan: WorkloadPlan) {
  const cpu = (factor: number) => (plan.cpu === 0 ? {} : { cpu: `${plan.cpu * factor}m` });
  const memory = (factor: number) => (plan.memory === 0 ? {} : { memory: `${plan.memory * factor}Mi` });
  const gpus = plan.gpus === undefined ? {} : { "nvidia.com/gpu": String(plan.gpus) };
  const requests = { ...cpu(1), ...memory(1), ...gpus };
  const limits = plan.limitFactor === undefined ? gpus : { ...memory(plan.limitFactor), ...gpus };
  return {
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(Object.keys(requests).length === 0 ? {} : { requests }),
  };
}

function init(plan: WorkloadPlan) {
  return {
    image: plan.image,
    name: "migrate",
    resources: { requests: { cpu: "100m", memory: `${plan.initMemory}Mi` } },
  };
}

function sidecar(plan: WorkloadPlan) {
  const image = plan.image.replace(/\/[^/]+$/, "/mesh-proxy:1.25.2");
  return {
    image,
    name: "mesh-proxy",
    resources: { requests: { cpu: "50m", memory: "64Mi" } },
    restartPolicy: "Always",
  };
}

function statusOf(plan: WorkloadPlan, node: BuiltNode, age: number, ended: string | undefined, random: SeededRandom) {
  const startTime = secondsBefore(age - 1);
  const startedAt = secondsBefore(age - random.between(3, 25));
  const ready = !ended && !plan.crashing && node.plan.state !== "NotReady";
  const condition = (type: string, status: boolean) => ({
    lastTransitionTime: startTime,
    status: status ? "True" : "False",
    type,
  });
  const state = ended
    ? { terminated: { exitCode: 0, finishedAt: ended, reason: "Completed", startedAt } }
    : plan.crashing
      ? { waiting: { reason: "CrashLoopBackOff" } }
      : { running: { startedAt } };
  const restartCount = plan.crashing ? 231 : 0;
  return {
    conditions: [condition("Initialized", true), condition("Ready", ready), condition("PodScheduled", true)],
    containerStatuses: [{ image: plan.image, name: plan.name, ready, restartCount, state }],
    phase: ended ? "Succeeded" : "Running",
    startTime,
  };
}

function waiting(plan: WorkloadPlan, age: number) {
  const message = plan.pending?.message;
  const unscheduled = {
    lastTransitionTime: secondsBefore(age),
    message,
    reason: "Unschedulable",
    status: "False",
    type: "PodScheduled",
  };
  return { conditions: [unscheduled], phase: "Pending" };
}

/** About the planned share of the requests; what requests nothing uses a little. */
function usageOf(plan: WorkloadPlan, random: SeededRandom) {
  const share = (plan.load ?? 0.3) * random.between(0.7, 1.25);
  const memoryShare = Math.min((plan.load ?? 0.3) + 0.25, 0.95) * random.between(0.9, 1.05);
  return {
    cpu: Math.round((plan.cpu || 20) * share * 1000) / 1000,
    memory: Math.round((plan.memory || 40) * 1024 * memoryShare),
  };
}
