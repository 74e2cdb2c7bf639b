import { type CostNanos, NANOS } from "@plimsoll/contracts";
import { fromWireQuantity, type NodeRow, wireUnitOf } from "@plimsoll/contracts/wire";
import { allocateNodeHour, type HeldHour, type HourAllocation, type HourShare, type PriceList } from "@plimsoll/core";
import type { UsageGroup } from "../warehouse/ask-usage.ts";
import type { CostPlace, CostRecord } from "../warehouse/cost-record.ts";
import { MAX_MONEY_NANOS } from "../warehouse/staged-table.ts";
import { groupByNode, type HeldGroups, sumsByResource } from "./held-groups.ts";
import { toNodeHour } from "./wire-node.ts";

/** The facts of one hour of a cluster. */
export interface HourFacts {
  readonly clusterId: string;
  readonly hourStartMs: number;
  readonly nodes: readonly NodeRow[];
  readonly usage: readonly UsageGroup[];
}

/** One hour of a cluster, priced. Σ records = cost. */
export interface PricedHour {
  readonly records: readonly CostRecord[];
  readonly costNanos: CostNanos;
  /** Nodes by source of their price. */
  readonly priceSources: Readonly<Record<string, number>>;
  /** Names of nodes without a price, and of nodes that only pods speak of, sorted: they are in no sum. */
  readonly unpriced: readonly string[];
}

type Held = HeldGroups<UsageGroup>;

const HOUR_MS = 3_600_000;

/** Prices one hour of a cluster: node by node, by what was held on it. The order of the facts changes nothing. */
export function priceHour(facts: HourFacts, prices: PriceList, revision: number): PricedHour {
  const { byNode, unknownNodes } = groupByNode(facts.nodes, facts.usage);
  const records: CostRecord[] = [];
  const sources: Record<string, number> = {};
  const unpriced = new Set(unknownNodes);
  const seenMs = lastSeenMs(facts);
  for (const node of facts.nodes.toSorted((a, b) => (a.nodeUid < b.nodeUid ? -1 : 1))) {
    const allocation = allocateNodeHour(
      toNodeHour(node, presentMs(node, seenMs)),
      prices,
      (byNode.get(node.nodeUid) ?? []).map(heldHour),
    );
    if (allocation === undefined || allocation.cost > MAX_MONEY_NANOS) {
      unpriced.add(node.nodeName);
      continue;
    }
    sources[allocation.source] = (sources[allocation.source] ?? 0) + 1;
    const hour = { hourStartMs: facts.hourStartMs, revision, currency: prices.currency };
    const place = placeOf(facts.clusterId, node, allocation);
    for (const share of allocation.shares) {
      if (share.user === null && share.quantity === 0n && share.cost === 0n) continue;
      records.push({ ...hour, place, ...shareFields(node, share) });
    }
  }
  const costNanos = records.reduce((sum, { cost }) => sum + cost, 0n);
  return { records, costNanos, priceSources: sources, unpriced: [...unpriced].sort() };
}

/** Up to when the cluster was seen in this hour: its newest fact, at most the hour's end. */
function lastSeenMs({ nodes, usage, hourStartMs }: HourFacts): number {
  const newest = [...nodes, ...usage].reduce((latest, { asOfMs }) => Math.max(latest, asOfMs), hourStartMs);
  return Math.min(newest, hourStartMs + HOUR_MS);
}

/**
 * Nodes and pods tell of themselves at different moments of a running hour. A node that is not told to be gone was there for
 * as long as its cluster was seen: else pods that told later would seem to hold more than there was.
 */
function presentMs(node: NodeRow, seenMs: number): number {
  return node.deletedMs === null ? node.presentMs + Math.max(0, seenMs - node.asOfMs) : node.presentMs;
}

/** Integrals of an owner: unit-seconds of the wire become nano-units × milliseconds, exactly. */
function heldHour(user: Held): HeldHour<Held> {
  return {
    user,
    requested: sumsByResource(user, ({ request }, resource) => fromWireQuantity(resource, request) * 1_000n),
    charged: sumsByResource(user, ({ charged }, resource) => fromWireQuantity(resource, charged) * 1_000n),
  };
}

function placeOf(clusterId: string, node: NodeRow, { pricing, source }: HourAllocation<Held>): CostPlace {
  return {
    clusterId,
    nodeUid: node.nodeUid,
    nodeName: node.nodeName,
    nodePool: node.pool,
    machineDeployment: node.machineDeployment,
    instanceId: node.providerId,
    instanceType: node.instanceType,
    region: node.region,
    zone: node.zone,
    pricing,
    priceSource: source,
  };
}

function shareFields(node: NodeRow, { user, resource, resourceKind, kind, quantity, cost }: HourShare<Held>) {
  const groups = (user?.groups ?? []).filter((group) => group.resource === resource);
  const total = (of: (group: UsageGroup) => bigint): bigint => groups.reduce((sum, group) => sum + of(group), 0n);
  return {
    upToMs: groups.length === 0 ? node.asOfMs : Math.max(...groups.map(({ asOfMs }) => asOfMs)),
    owner: user?.owner ?? null,
    resource,
    resourceKind: resourceKind === "ram" ? ("memory" as const) : resourceKind,
    costKind: kind,
    requested: total(({ request }) => request),
    used: total(({ usage }) => usage),
    allocated: inWireSeconds(resource, quantity),
    cost,
    coveragePpm: coverageOf(groups),
  };
}

/** Nano-units × milliseconds as unit-seconds of the wire, rounded down: idle and system need not be whole ones. */
function inWireSeconds(resource: string, quantity: bigint): bigint {
  return quantity / 1_000n / (wireUnitOf(resource) === "bytes" ? NANOS : 1n);
}

function coverageOf(groups: readonly UsageGroup[]): number {
  const billedMs = groups.reduce((sum, group) => sum + group.billedMs, 0);
  const unseenMs = groups.reduce((sum, group) => sum + group.unseenMs, 0);
  return billedMs + unseenMs === 0 ? 1_000_000 : Math.floor((billedMs * 1_000_000) / (billedMs + unseenMs));
}
