import { type CostGroup, type CostNanos, type CostReport, formatMoney } from "@plimsoll/contracts";
import type { PodDemand } from "../capacity/pod-demand.ts";
import type { Allocation } from "./allocate-cluster.ts";
import type { CostKind, CostShare } from "./allocate-node.ts";
import { COST_LABELS, type LabelSources, resolveLabel } from "./cost-labels.ts";

/** The remainders that make every grouping sum to the total. */
export const IDLE_GROUP = "__idle__";
export const SYSTEM_GROUP = "__system__";
export const UNALLOCATED_GROUP = "__unallocated__";

/** Sums an allocation: by kind, by namespace and by each cost label. Every grouping sums to the total exactly. */
export function costReport(allocation: Allocation, labels: LabelSources, basis: CostReport["basis"]): CostReport {
  const { shares, nodes } = allocation;
  const kinds = sumBy(shares, (share) => share.kind);
  const amount = (kind: CostKind): string => formatMoney(kinds.get(kind) ?? 0n);
  const total = [...kinds.values()].reduce((sum, cost) => sum + cost, 0n);
  return {
    currency: allocation.currency,
    hourly: {
      total: formatMoney(total),
      workloads: amount("workload"),
      idle: amount("idle"),
      system: amount("system"),
    },
    byNamespace: groups(shares, (pod) => pod.namespace),
    byLabel: Object.fromEntries(
      COST_LABELS.map((key) => [
        key,
        groups(shares, (pod) => resolveLabel(pod, key, labels).value ?? UNALLOCATED_GROUP),
      ]),
    ),
    priceSources: countBy(nodes.map((node) => node.source)),
    pricing: countBy(nodes.map((node) => node.pricing)),
    unpricedNodes: allocation.unpriced,
    basis,
  };
}

/** Groups of pods, the most expensive first, then unallocated, idle and system. */
function groups(shares: readonly CostShare[], nameOf: (pod: PodDemand) => string): readonly CostGroup[] {
  const names = new Map<PodDemand, string>();
  const cachedName = (pod: PodDemand): string => {
    const name = names.get(pod) ?? nameOf(pod);
    names.set(pod, name);
    return name;
  };
  const sums = sumBy(shares, (share) => {
    if (share.kind === "system") return SYSTEM_GROUP;
    return share.pod === null ? IDLE_GROUP : cachedName(share.pod);
  });
  const remainders = [UNALLOCATED_GROUP, IDLE_GROUP, SYSTEM_GROUP].filter((name) => sums.has(name));
  const named = [...sums].filter(([name]) => !remainders.includes(name)).sort(dearestFirst);
  return [...named.map(([name]) => name), ...remainders].map((name) => {
    return { name, hourly: formatMoney(sums.get(name) ?? 0n) };
  });
}

function dearestFirst([nameA, a]: [string, CostNanos], [nameB, b]: [string, CostNanos]): number {
  if (a !== b) return a > b ? -1 : 1;
  return nameA < nameB ? -1 : 1;
}

function sumBy<K>(shares: readonly CostShare[], keyOf: (share: CostShare) => K): ReadonlyMap<K, CostNanos> {
  const sums = new Map<K, CostNanos>();
  for (const share of shares) {
    const key = keyOf(share);
    sums.set(key, (sums.get(key) ?? 0n) + share.cost);
  }
  return sums;
}

function countBy(values: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
