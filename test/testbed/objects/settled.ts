import { setTimeout as sleep } from "node:timers/promises";
import { type ApiObject, asObject, isRecord } from "../api-client.ts";
import type { Cluster } from "../cluster-types.ts";
import { PHASE_ANNOTATION, STATE_LABEL } from "./object-types.ts";

/** What to wait for, and how long (default 120 s). */
export interface SettleOptions {
  /** metrics.k8s.io must know every pod that runs on a ready node, and that node (kwok has no figure of a node without pods). */
  readonly usage?: boolean;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Waits until nothing moves any more: nodes are Ready (save those made otherwise), workloads have all their pods, pods are
 * where they are meant to end, Jobs have ended.
 * @throws Error that names the first things that have not settled when the time is over.
 */
export async function waitUntilSettled(cluster: Cluster, options: SettleOptions = {}): Promise<void> {
  const end = performance.now() + (options.timeoutMs ?? 120_000);
  for (;;) {
    const open = await unsettled(cluster, options.usage ?? false);
    if (open.length === 0) return;
    if (performance.now() > end) {
      throw new Error(`${cluster.name} has not settled, ${open.length} left: ${open.slice(0, 10).join("; ")}`);
    }
    await sleep(250, undefined, options.signal ? { signal: options.signal } : {});
  }
}

async function unsettled(cluster: Cluster, usage: boolean): Promise<string[]> {
  const nodes = await cluster.api.list("/api/v1/nodes");
  const open = nodes.filter((node) => !nodeIsSettled(node)).map((node) => `node ${node.metadata.name}`);
  for (const plural of ["deployments", "statefulsets", "daemonsets"]) {
    const workloads = await cluster.api.list(`/apis/apps/v1/${plural}`);
    open.push(...workloads.filter((each) => !workloadIsSettled(plural, each)).map((each) => `${plural} ${idOf(each)}`));
  }
  const jobs = await cluster.api.list("/apis/batch/v1/jobs");
  open.push(...jobs.filter((job) => !jobHasEnded(job)).map((job) => `job ${idOf(job)}`));
  if (open.length > 0) return open;
  // A first look that costs little while thousands of pods still start.
  const pending = await cluster.api.get("/api/v1/pods?limit=50&fieldSelector=status.phase%3DPending");
  open.push(
    ...listAt(pending, "items")
      .map(asObject)
      .filter((pod) => !podIsSettled(pod))
      .map((pod) => `pod ${idOf(pod)}`),
  );
  if (open.length > 0) return open;
  const pods = await cluster.api.list("/api/v1/pods");
  open.push(...pods.filter((pod) => !podIsSettled(pod)).map((pod) => `pod ${idOf(pod)}`));
  if (open.length > 0 || !usage) return open;
  return withoutUsage(cluster, nodes, pods);
}

async function withoutUsage(
  cluster: Cluster,
  nodes: readonly ApiObject[],
  pods: readonly ApiObject[],
): Promise<string[]> {
  const metrics = "/apis/metrics.k8s.io/v1beta1";
  const nodeFigures = new Set((await cluster.api.list(`${metrics}/nodes`)).map(idOf));
  const podFigures = new Set((await cluster.api.list(`${metrics}/pods`)).map(idOf));
  const ready = new Set(nodes.filter((node) => !isSilent(node)).map((node) => node.metadata.name));
  const running = pods.filter((pod) => ready.has(String(at(pod, "spec", "nodeName"))) && phaseOf(pod) === "Running");
  const hosts = new Set(running.map((pod) => String(at(pod, "spec", "nodeName"))));
  return [
    ...[...hosts].filter((name) => !nodeFigures.has(name)).map((name) => `usage of node ${name}`),
    ...running.filter((pod) => !podFigures.has(idOf(pod))).map((pod) => `usage of pod ${idOf(pod)}`),
  ];
}

function nodeIsSettled(node: ApiObject): boolean {
  if (isSilent(node)) return true;
  const taints = listAt(node, "spec", "taints");
  const ready = listAt(node, "status", "conditions").some((each) => each.type === "Ready" && each.status === "True");
  return ready && !taints.some(({ key }) => key === "node.kubernetes.io/not-ready");
}

function workloadIsSettled(plural: string, object: ApiObject): boolean {
  if (at(object, "status", "observedGeneration") !== at(object, "metadata", "generation")) return false;
  if (plural === "daemonsets") {
    return at(object, "status", "currentNumberScheduled") === at(object, "status", "desiredNumberScheduled");
  }
  return (at(object, "status", "replicas") ?? 0) === at(object, "spec", "replicas");
}

function jobHasEnded(job: ApiObject): boolean {
  if (at(job, "spec", "suspend") === true) return true;
  const ends = new Set<unknown>(["Complete", "Failed"]);
  return listAt(job, "status", "conditions").some((each) => ends.has(each.type) && each.status === "True");
}

function podIsSettled(pod: ApiObject): boolean {
  const phase = phaseOf(pod);
  const wanted = at(pod, "metadata", "annotations", PHASE_ANNOTATION) ?? "Running";
  if (at(pod, "metadata", "deletionTimestamp") !== undefined) return false;
  if (at(pod, "spec", "nodeName") !== undefined) return phase === wanted;
  return listAt(pod, "status", "conditions").some((each) => each.reason === "Unschedulable");
}

function isSilent(node: ApiObject): boolean {
  return at(node, "metadata", "labels", STATE_LABEL) === "silent";
}

function phaseOf(pod: ApiObject): unknown {
  return at(pod, "status", "phase");
}

function idOf({ metadata }: ApiObject): string {
  return metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
}

/** The value at a path of field names; undefined where the path ends early. */
function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, field) => (isRecord(inner) ? inner[field] : undefined), value);
}

function listAt(value: unknown, ...path: readonly string[]): Record<string, unknown>[] {
  const list = at(value, ...path);
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
