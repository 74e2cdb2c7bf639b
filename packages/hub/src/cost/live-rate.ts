import { fromWireQuantity, type NodeRow } from "@plimsoll/contracts/wire";
import { allocateNodeHour, type Coverage, type HeldHour, type HourShare, type PriceList } from "@plimsoll/core";
import type { RunningGroup } from "../warehouse/ask-usage.ts";
import { groupByNode, type HeldGroups, sumsByResource } from "./held-groups.ts";
import { toNodeHour } from "./wire-node.ts";

/**
 * What a cluster costs an hour now: the machines that exist and the pods that run, each pod charged its average of this
 * hour. Amounts are nano-units of the currency; workloads + idle + system = total.
 */
export interface LiveRate {
  readonly clusterId: string;
  readonly currency: string;
  readonly total: bigint;
  readonly workloads: bigint;
  readonly idle: bigint;
  readonly system: bigint;
  /** Of the newest fact it is made of. */
  readonly asOfMs: number;
  /** `default`, or several joined by commas. */
  readonly priceSource: string;
  /** Nodes that are in no sum. */
  readonly unpriced: readonly string[];
}

/** A live rate with the coverage of the facts that it is made of: the last hour and the present one, up to `asOfMs`. */
export interface CoveredRate extends LiveRate {
  readonly coverage: Coverage;
}

/** One namespace now. Quantities are wire units (nanocores, bytes); null = unknown. */
export interface LiveNamespace {
  readonly namespace: string;
  readonly cpuRequested: bigint;
  readonly cpuUsed: bigint | null;
  readonly memoryRequested: bigint;
  readonly memoryUsed: bigint | null;
  /** Nano-units of the currency an hour. */
  readonly hourly: bigint;
}

/** A cluster now. */
export interface LiveCluster {
  readonly rate: LiveRate;
  /** By name. */
  readonly namespaces: readonly LiveNamespace[];
}

const HOUR_MS = 3_600_000;

type Held = HeldGroups<RunningGroup>;

/** The live figures of a cluster; undefined when no node of it is known. The order of the facts changes nothing. */
export function liveCluster(
  clusterId: string,
  nodes: readonly NodeRow[],
  running: readonly RunningGroup[],
  prices: PriceList,
): LiveCluster | undefined {
  if (nodes.length === 0) return undefined;
  const { byNode, unknownNodes } = groupByNode(nodes, running);
  const shares: HourShare<Held>[] = [];
  const sources = new Set<string>();
  const unpriced = new Set(unknownNodes);
  for (const node of nodes.toSorted((a, b) => (a.nodeUid < b.nodeUid ? -1 : 1))) {
    const held = (byNode.get(node.nodeUid) ?? []).map(heldForAnHour);
    const allocation = allocateNodeHour(toNodeHour(node, HOUR_MS), prices, held);
    if (allocation === undefined) unpriced.add(node.nodeName);
    else sources.add(allocation.source);
    for (const share of allocation?.shares ?? []) shares.push(share);
  }
  const costOf = (kind: string | null): bigint => sumOf(shares.filter((share) => kind === null || share.kind === kind));
  const rate: LiveRate = {
    clusterId,
    currency: prices.currency,
    total: costOf(null),
    workloads: costOf("workload"),
    idle: costOf("idle"),
    system: costOf("system"),
    asOfMs: [...nodes, ...running].reduce((latest, { asOfMs }) => Math.max(latest, asOfMs), 0),
    priceSource: [...sources].sort().join(","),
    unpriced: [...unpriced].sort(),
  };
  return { rate, namespaces: namespacesOf(running, shares) };
}

/** What runs now, held for a whole hour. */
function heldForAnHour(user: Held): HeldHour<Held> {
  const hour = BigInt(HOUR_MS);
  return {
    user,
    requested: sumsByResource(user, ({ requested }, resource) => fromWireQuantity(resource, requested) * hour),
    charged: sumsByResource(user, ({ charged }, resource) => fromWireQuantity(resource, charged) * hour),
  };
}

function namespacesOf(running: readonly RunningGroup[], shares: readonly HourShare<Held>[]): readonly LiveNamespace[] {
  const costs = Map.groupBy(shares, ({ user }) => user?.owner.namespace ?? null);
  return [...Map.groupBy(running, ({ owner }) => owner.namespace)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([namespace, groups]) => ({
      namespace,
      cpuRequested: total(groups, "cpu", ({ requested }) => requested) ?? 0n,
      cpuUsed: total(groups, "cpu", ({ used }) => used),
      memoryRequested: total(groups, "memory", ({ requested }) => requested) ?? 0n,
      memoryUsed: total(groups, "memory", ({ used }) => used),
      hourly: sumOf(costs.get(namespace) ?? []),
    }));
}

/** Null when no group knows it. */
function total(
  groups: readonly RunningGroup[],
  resource: string,
  of: (group: RunningGroup) => bigint | null,
): bigint | null {
  return groups
    .filter((group) => group.resource === resource)
    .map(of)
    .reduce((sum, each) => (each === null ? sum : (sum ?? 0n) + each), null);
}

function sumOf(shares: readonly { readonly cost: bigint }[]): bigint {
  return shares.reduce((sum, { cost }) => sum + cost, 0n);
}
