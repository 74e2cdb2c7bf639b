import type { ClusterEntry } from "./cluster-entry.ts";

/** Requested share of a resource over the schedulable nodes, in percent; null = unknown, or nothing is allocatable. */
export function requestedPercent({ capacity }: ClusterEntry, resource: string): number | null {
  const figures = capacity?.resources[resource];
  if (!figures || figures.requested === null || !figures.requestedAllocatable) return null;
  return Number((figures.requested * 100_000n) / figures.requestedAllocatable) / 1000;
}
