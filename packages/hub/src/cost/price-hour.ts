import type { CostNanos } from "@plimsoll/contracts";
import { NANOS } from "@plimsoll/contracts";
import { fromWireQuantity, type NodeRow, wireUnitOf } from "@plimsoll/contracts/wire";
import { allocateNodeHour, type HeldHour, type HourAllocation, type HourShare, type PriceList } from "@plimsoll/core";
import type { UsageGroup } from "../warehouse/ask-usage.ts";
import type { CostRecord } from "../warehouse/cost-record.ts";
import { MAX_MONEY_NANOS } from "../warehouse/staged-table.ts";
import { byOwner, type OwnedGroups } from "./owners.ts";
import { NodeIndex, toNodeHour } from "./wire-node.ts";

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

type Owned = OwnedGroups<UsageGroup>;

/** Prices one hour of a cluster: node by node, by what was held on it. The order of the facts changes nothing. */
export function priceHour(facts: HourFacts, prices: PriceList, revision: number): PricedHour {
  const index = new NodeIndex(facts.nodes);
  const owned = Map.groupBy(byOwner(facts.usage), ({ owner }) => index.find(owner)?.nodeUid ?? null);
  const records: CostRecord[] = [];
  const sources: Record<string, number> = {};
  const unpriced = new Set((owned.get(null) ?? []).map(({ owner }) => owner.nodeName));
  for (const node of facts.nodes.toSorted((a, b) => (a.nodeUid < b.nodeUid ? -1 : 1))) {
    const held = (owned.get(node.nodeUid) ?? []).map(heldBy);
    const allocation = allocateNodeHour(toNodeHour(node), prices, held);
    if (allocation === undefined || allocation.cost > MAX_MONEY_NANOS) {
      unpriced.add(node.nodeName);
      continue;
    }
    sources[allocation.source] = (sources[allocation.source] ?? 0) + 1;
    for (const share of allocation.shares) {
      if (share.user === null && share.quantity === 0n && share.cost === 0n) continue;
      records.push(toRecord(facts, node, allocation, share, { revision, currency: prices.currency }));
    }
  }
  const costNanos = records.reduce((sum, { cost }) => sum + cost, 0n);
  return { records, costNanos, priceSources: sources, unpriced: [...unpriced].sort() };
}

/** Integrals of an owner: unit-seconds of the wire become nano-units × milliseconds, exactly. */
function heldBy(user: Owned): HeldHour<Owned> {
  const sums = (of: (group: UsageGroup) => bigint): ReadonlyMap<string, bigint> =>
    new Map(
      user.groups.flatMap((group) =>
        group.resource === null ? [] : [[group.resource, inMillis(group.resource, of(group))]],
      ),
    );
  return { user, requested: sums(({ request }) => request), charged: sums(({ charged }) => charged) };
}

function inMillis(resource: string, integral: bigint): bigint {
  return fromWireQuantity(resource, integral) * 1_000n;
}

/** The reverse, rounded down: idle and system need not be whole unit-seconds. */
function inWireSeconds(resource: string, quantity: bigint): bigint {
  return quantity / 1_000n / (wireUnitOf(resource) === "bytes" ? NANOS : 1n);
}

function toRecord(
  facts: HourFacts,
  node: NodeRow,
  allocation: HourAllocation<Owned>,
  share: HourShare<Owned>,
  { revision, currency }: { readonly revision: number; readonly currency: string },
): CostRecord {
  const { user, resource } = share;
  const group = user?.groups.find((each) => each.resource === resource);
  return {
    clusterId: facts.clusterId,
    hourStartMs: facts.hourStartMs,
    upToMs: group?.asOfMs ?? node.asOfMs,
    revision,
    ...placeOf(node),
    ...ownerOf(user),
    resource,
    resourceKind: share.resourceKind === "ram" ? "memory" : share.resourceKind,
    costKind: share.kind,
    pricing: allocation.pricing,
    priceSource: allocation.source,
    requested: group?.request ?? 0n,
    used: group?.usage ?? 0n,
    allocated: inWireSeconds(resource, share.quantity),
    cost: share.cost,
    currency,
    coveragePpm: coverageOf(group),
  };
}

function placeOf(node: NodeRow) {
  return {
    nodeUid: node.nodeUid,
    nodeName: node.nodeName,
    nodePool: node.pool,
    machineDeployment: node.machineDeployment,
    instanceId: node.providerId,
    instanceType: node.instanceType,
    region: node.region,
    zone: node.zone,
  };
}

function ownerOf(user: Owned | null) {
  const owner = user?.owner;
  return {
    namespace: owner?.namespace ?? null,
    workloadType: owner?.workloadType ?? null,
    workloadName: owner?.workloadName ?? null,
    costCenter: owner?.costCenter ?? null,
    env: owner?.env ?? null,
    ownerTeam: owner?.ownerTeam ?? null,
    labelSource: owner?.labelSource ?? "none",
    labels: owner?.labels ?? "{}",
    mode: owner?.mode ?? null,
  };
}

function coverageOf(group: UsageGroup | undefined): number {
  if (group === undefined || group.billedMs + group.unseenMs === 0) return 1_000_000;
  return Math.floor((group.billedMs * 1_000_000) / (group.billedMs + group.unseenMs));
}
