import type { NodeUsage, PodUsage, QuantityTexts, Usage } from "@plimsoll/contracts";
import { type PrometheusSample, parsePrometheusText } from "./prometheus-text.ts";

/** One answer of a kubelet's `/metrics/resource`. `takenAtMs` stands in where samples carry no time of their own. */
export interface KubeletRead {
  readonly node: string;
  readonly takenAtMs: number;
  readonly text: string;
}

const CPU = { node: "node_cpu_usage_seconds_total", pod: "pod_cpu_usage_seconds_total" };
const MEMORY = { node: "node_memory_working_set_bytes", pod: "pod_memory_working_set_bytes" };
const CONTAINER_CPU = "container_cpu_usage_seconds_total";
const CONTAINER_MEMORY = "container_memory_working_set_bytes";
const NAMES = new Set([CPU.node, CPU.pod, MEMORY.node, MEMORY.pod, CONTAINER_CPU, CONTAINER_MEMORY]);

/**
 * Usage from two reads of the same kubelets, one after the other. cpu is a counter of core seconds, so usage is its growth
 * over the time between the two samples; memory is the working set of the second. A node or pod that is in only one read,
 * whose counter went back (restart) or whose sample did not move in time is left out: unknown, not zero.
 */
export function kubeletUsage(before: readonly KubeletRead[], after: readonly KubeletRead[]): Usage {
  const nodes: NodeUsage[] = [];
  const pods: PodUsage[] = [];
  const earlier = new Map(before.map((read) => [read.node, read]));
  for (const read of after) {
    const first = earlier.get(read.node);
    if (!first) continue;
    const [old, now] = [parseRead(first), parseRead(read)];
    for (const [key, figures] of now) {
      const usage = usageBetween(old.get(key), figures);
      if (!usage) continue;
      if (figures.pod === undefined) nodes.push({ node: read.node, usage });
      else pods.push({ namespace: figures.namespace ?? "", pod: figures.pod, usage });
    }
  }
  return { source: "kubelet", nodes, pods };
}

interface Figures {
  readonly namespace?: string;
  readonly pod?: string;
  cpuSeconds?: number;
  cpuAtMs?: number;
  memoryBytes?: number;
}

/** Figures of the node (key "") and of each pod. Kubelets that give no pod figures give those of containers: summed. */
function parseRead(read: KubeletRead): Map<string, Figures> {
  const samples = [...parsePrometheusText(read.text, NAMES)];
  const hasPods = samples.some(({ name }) => name === CPU.pod || name === MEMORY.pod);
  const figures = new Map<string, Figures>();
  for (const sample of samples) {
    const isContainer = sample.name === CONTAINER_CPU || sample.name === CONTAINER_MEMORY;
    if (isContainer && hasPods) continue;
    add(figuresOf(figures, sample), sample, read.takenAtMs);
  }
  return figures;
}

function figuresOf(all: Map<string, Figures>, { labels }: PrometheusSample): Figures {
  const { namespace, pod } = labels;
  const key = pod === undefined ? "" : `${namespace}/${pod}`;
  const held = all.get(key) ?? { namespace, pod };
  all.set(key, held);
  return held;
}

function add(figures: Figures, sample: PrometheusSample, takenAtMs: number): void {
  if (sample.name.includes("_cpu_")) {
    figures.cpuSeconds = (figures.cpuSeconds ?? 0) + sample.value;
    figures.cpuAtMs = Math.max(figures.cpuAtMs ?? 0, sample.timestampMs ?? takenAtMs);
  } else {
    figures.memoryBytes = (figures.memoryBytes ?? 0) + sample.value;
  }
}

/** cpu in nanocores, memory in bytes, as quantity texts; undefined when there is neither. */
function usageBetween(before: Figures | undefined, after: Figures): QuantityTexts | undefined {
  const usage: Record<string, string> = {};
  const nanocores = before && growth(before, after);
  if (nanocores !== undefined) usage.cpu = `${nanocores}n`;
  if (after.memoryBytes !== undefined) usage.memory = String(BigInt(Math.round(after.memoryBytes)));
  return usage.cpu === undefined && usage.memory === undefined ? undefined : usage;
}

function growth(before: Figures, after: Figures): bigint | undefined {
  if (before.cpuSeconds === undefined || after.cpuSeconds === undefined) return undefined;
  const elapsedMs = (after.cpuAtMs ?? 0) - (before.cpuAtMs ?? 0);
  const grown = after.cpuSeconds - before.cpuSeconds;
  return elapsedMs > 0 && grown >= 0 ? BigInt(Math.round((grown / elapsedMs) * 1e12)) : undefined;
}
