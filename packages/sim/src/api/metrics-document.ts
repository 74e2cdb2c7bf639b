import type { KubeJson } from "../objects/kube-json.ts";
import type { Labels } from "../records/pod-template.ts";
import type { NodeRecord, PodRecord } from "../records/records.ts";
import { type Seconds, timestamp } from "../time/seconds.ts";
import type { ClusterWorld } from "../world/cluster-world.ts";
import { saltOf } from "../world/pod-lifecycle.ts";
import { type PodUsageAmount, usageOf } from "../world/pod-usage.ts";
import { notFound } from "./api-status.ts";
import type { Matcher } from "./selectors.ts";

/** Scraped each 15 seconds; a figure is the average of the window before. A usage step is a whole number of windows. */
const WINDOW_SECONDS = 15;
const GROUP_VERSION = "metrics.k8s.io/v1beta1";
/** What a node uses besides its pods: kubelet, container runtime, kernel. */
const NODE_BASE: PodUsageAmount = { cpuNanocores: 85_000_000, memoryKib: 700_000 };

/** PodMetricsList, or one PodMetrics when `name` is given. Pods that no whole window has seen are missing. */
export function podMetrics(world: ClusterWorld, matches: Matcher, name: string): KubeJson {
  const at = sampleTime(world.now);
  const items = world
    .pods()
    .filter((pod) => matches(pod) && (name === "" || pod.name === name) && isMeasured(world, pod, at))
    .map((pod) => podItem(world, pod, at));
  return answer("PodMetrics", items, name, "pods");
}

/** NodeMetricsList, or one NodeMetrics. Nodes that are away, and virtual ones, are missing. */
export function nodeMetrics(world: ClusterWorld, matches: Matcher, name: string): KubeJson {
  const at = sampleTime(world.now);
  const used = new Map<string, PodUsageAmount>();
  for (const pod of world.pods()) {
    if (pod.node === null || !isMeasured(world, pod, at)) continue;
    used.set(pod.node, sum(used.get(pod.node) ?? NODE_BASE, usageIn(world, pod, at)));
  }
  const items = world
    .nodes()
    .filter(
      (node) => matches(node) && (name === "" || node.name === name) && node.ready && node.pool.class !== "virtual",
    )
    .map((node) => nodeItem(node, used.get(node.name) ?? NODE_BASE, at));
  return answer("NodeMetrics", items, name, "nodes");
}

function answer(kind: string, items: readonly KubeJson[], name: string, resource: string): KubeJson {
  if (name === "") return { kind: `${kind}List`, apiVersion: GROUP_VERSION, metadata: {}, items };
  const item = items[0];
  if (item === undefined) throw notFound(resource, "metrics.k8s.io", name);
  return { kind, apiVersion: GROUP_VERSION, ...item };
}

function podItem(world: ClusterWorld, pod: PodRecord, at: Seconds): KubeJson {
  const { containers, initContainers } = pod.template;
  const running = [...containers, ...initContainers.filter(({ sidecar }) => sidecar)];
  const total = usageIn(world, pod, at);
  const { name, namespace, createdAt, labels } = pod;
  return {
    metadata: { name, namespace, creationTimestamp: timestamp(createdAt), labels },
    timestamp: timestamp(at),
    window: `${WINDOW_SECONDS}s`,
    containers: running.map((container, index) => ({
      name: container.name,
      usage: usageText(share(total, index, running.length)),
    })),
  };
}

function nodeItem({ name, createdAt, labels }: NodeRecord, usage: PodUsageAmount, at: Seconds): KubeJson {
  return {
    metadata: { name, creationTimestamp: timestamp(createdAt), labels },
    timestamp: timestamp(at),
    window: `${WINDOW_SECONDS}s`,
    usage: usageText(usage),
  };
}

/** Sidecars get a twentieth each, the first container the rest: the shares add up to the pod's usage exactly. */
function share(total: PodUsageAmount, index: number, count: number): PodUsageAmount {
  const twentieth = { cpuNanocores: Math.floor(total.cpuNanocores / 20), memoryKib: Math.floor(total.memoryKib / 20) };
  if (index > 0) return twentieth;
  return {
    cpuNanocores: total.cpuNanocores - (count - 1) * twentieth.cpuNanocores,
    memoryKib: total.memoryKib - (count - 1) * twentieth.memoryKib,
  };
}

function usageText({ cpuNanocores, memoryKib }: PodUsageAmount): Labels {
  return { cpu: `${cpuNanocores}n`, memory: `${memoryKib}Ki` };
}

function isMeasured(world: ClusterWorld, pod: PodRecord, at: Seconds): boolean {
  const { startedAt, finishedAt, disruptedAt, unreachableSince, node } = pod;
  if (startedAt === null || finishedAt !== null || disruptedAt !== null || unreachableSince !== null) return false;
  return startedAt <= at - WINDOW_SECONDS && node !== null && world.node(node)?.pool.class !== "virtual";
}

function usageIn(world: ClusterWorld, pod: PodRecord, at: Seconds): PodUsageAmount {
  return usageOf(pod.template.usage, saltOf(pod), at - WINDOW_SECONDS, world.usageModel);
}

function sampleTime(now: Seconds): Seconds {
  return Math.floor(now / WINDOW_SECONDS) * WINDOW_SECONDS;
}

function sum(a: PodUsageAmount, b: PodUsageAmount): PodUsageAmount {
  return { cpuNanocores: a.cpuNanocores + b.cpuNanocores, memoryKib: a.memoryKib + b.memoryKib };
}
