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
  readonly used: (resource: string) => UsedFigures | null;
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
    const allocatableOf = toPublishedUnit(name, allocatable.get(name) ?? 0n);
    // A pod is used as soon as it is requested, on every node.
    const used =
      name === "pods" && requested
        ? { used: requested.get(name) ?? 0n, allocatable: allocatable.get(name) ?? 0n }
        : sources.used(name);
    return [
      name,
      {
        unit: unitOf(name),
        capacity: toPublishedUnit(name, capacity.get(name) ?? 0n),
        allocatable: allocatableOf,
        requested: publish(requested),
        requestedAllocatable: requested && allocatableOf,
        limits: publish(limits),
        limitsPartial: partial.has(name),
        used: used && toPublishedUnit(name, used.used),
        usedAllocatable: used && toPublishedUnit(name, used.allocatable),
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

/** Usage of some nodes and what is allocatable on those same nodes, nano-units. */
interface UsedFigures {
  readonly used: bigint;
  readonly allocatable: bigint;
}

/** Sums over the nodes that reported this resource; null when none did. */
function usedOn(nodes: readonly NodeFacts[], resource: string, usage: UsageFigures | null): UsedFigures | null {
  const sum = { used: 0n, allocatable: 0n };
  let reported = false;
  for (const node of nodes) {
    const used = usage?.nodes.get(node.name)?.get(resource);
    if (used === undefined) continue;
    reported = true;
    sum.used += used;
    sum.allocatable += node.allocatable.get(resource) ?? 0n;
  }
  return reported ? sum : null;
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
