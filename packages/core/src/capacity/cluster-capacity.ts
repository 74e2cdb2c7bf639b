import {
  type CapacityReport,
  EXCLUSION_REASONS,
  type ExcludedNodes,
  type ResourceFigures,
  type ResourceNanos,
  toPublishedUnit,
  unitOf,
} from "@plimsoll/contracts";
import type { NodeFacts } from "../nodes/node-facts.ts";
import type { PodDemand } from "./pod-demand.ts";
import { limitsOf, podsByNode, requestedOf, sumOf } from "./pods-by-node.ts";
import { published } from "./published.ts";
import type { UsageFigures } from "./usage-figures.ts";

/** What the capacity of a cluster is computed from. `null` = could not be read: the figures that need it become null. */
export interface CapacityInput {
  readonly nodes: readonly NodeFacts[];
  readonly pods: readonly PodDemand[] | null;
  readonly usage: UsageFigures | null;
}

type PodsOf = (nodes: readonly NodeFacts[]) => readonly PodDemand[];

/** Capacity of a cluster over its schedulable nodes, the other nodes by reason beside it. Rule: rules "Which nodes count". */
export function clusterCapacity({ nodes, pods, usage }: CapacityInput): CapacityReport {
  const schedulable = nodes.filter((node) => node.exclusion === null);
  const byNode = pods && podsByNode(pods);
  const podsOf: PodsOf | null = byNode && ((some) => some.flatMap((node) => byNode.get(node.name) ?? []));
  const excluded = excludedNodes(nodes, podsOf);
  return {
    nodes: {
      total: nodes.length,
      schedulable: schedulable.length,
      excluded: Object.fromEntries(excluded.map(({ reason, nodes: count }) => [reason, count])),
      excludedFigures: excluded,
      reportingUsage: schedulable.filter((node) => usage?.nodes.has(node.name)).length,
    },
    resources: resourceFigures({
      capacity: sumOf(schedulable, (node) => node.capacity),
      allocatable: sumOf(schedulable, (node) => node.allocatable),
      pods: podsOf?.(schedulable) ?? null,
      pending: pods?.filter((pod) => pod.nodeName === null) ?? null,
      used: (resource) => usedOn(schedulable, resource, usage),
    }),
  };
}

interface FigureSources {
  readonly capacity: ResourceNanos;
  readonly allocatable: ResourceNanos;
  readonly pods: readonly PodDemand[] | null;
  readonly pending: readonly PodDemand[] | null;
  readonly used: (resource: string) => bigint | null;
}

/** Resources that every cluster has; the others appear where a node or a pod names them. */
const CORE_RESOURCES = ["cpu", "memory", "pods", "ephemeral-storage"];

function resourceFigures(sources: FigureSources): Readonly<Record<string, ResourceFigures>> {
  const { capacity, allocatable } = sources;
  const requested = sources.pods && requestedOf(sources.pods);
  const limits = sources.pods && limitsOf(sources.pods);
  const pending = sources.pending && requestedOf(sources.pending);
  const partial = new Set<string>();
  for (const pod of sources.pods ?? []) for (const name of pod.partialLimits) partial.add(name);
  const lists = [capacity, allocatable, requested, limits, pending];
  const figures = namesIn(lists).map((name): [string, ResourceFigures] => {
    const publish = (from: ResourceNanos | null): bigint | null => from && toPublishedUnit(name, from.get(name) ?? 0n);
    const used = name === "pods" && requested ? (requested.get(name) ?? 0n) : sources.used(name);
    return [
      name,
      {
        unit: unitOf(name),
        capacity: toPublishedUnit(name, capacity.get(name) ?? 0n),
        allocatable: toPublishedUnit(name, allocatable.get(name) ?? 0n),
        requested: publish(requested),
        limits: publish(limits),
        limitsPartial: partial.has(name),
        used: used === null ? null : toPublishedUnit(name, used),
        pending: publish(pending),
      },
    ];
  });
  return Object.fromEntries(figures);
}

/** The core resources, then every other that some list has, sorted. Hugepages that nobody set up say nothing. */
function namesIn(lists: readonly (ResourceNanos | null)[]): readonly string[] {
  const others = new Set<string>();
  for (const list of lists) {
    for (const [name, nanos] of list ?? []) {
      if (nanos !== 0n || !name.startsWith("hugepages-")) others.add(name);
    }
  }
  for (const name of CORE_RESOURCES) others.delete(name);
  return [...CORE_RESOURCES, ...[...others].sort()];
}

/** Sum over the nodes; null unless there are some and every one of them reported this resource. */
function usedOn(nodes: readonly NodeFacts[], resource: string, usage: UsageFigures | null): bigint | null {
  if (usage === null || nodes.length === 0) return null;
  let total = 0n;
  for (const node of nodes) {
    const used = usage.nodes.get(node.name)?.get(resource);
    if (used === undefined) return null;
    total += used;
  }
  return total;
}

function excludedNodes(nodes: readonly NodeFacts[], podsOf: PodsOf | null): readonly ExcludedNodes[] {
  return EXCLUSION_REASONS.map((reason) => ({ reason, members: nodes.filter((node) => node.exclusion === reason) }))
    .filter(({ members }) => members.length > 0)
    .map(({ reason, members }) => ({
      reason,
      nodes: members.length,
      capacity: published(sumOf(members, (node) => node.capacity)),
      allocatable: published(sumOf(members, (node) => node.allocatable)),
      requested: podsOf && published(requestedOf(podsOf(members))),
    }));
}
