import { type CostNanos, NANOS, type QuantityNanos, type ResourceNanos } from "@plimsoll/contracts";
import type { CostKind } from "./allocate-node.ts";
import { roundedTimes, times } from "./fraction.ts";
import { nodeCost, type ResourceCost, ratesPerKind } from "./node-cost.ts";
import { type NodePrice, type PriceableNode, type PriceList, type Pricing, resolvePrice } from "./price-book.ts";
import { pricedResource } from "./priced-resources.ts";
import { type CapacityShare, splitCapacity } from "./split-capacity.ts";
import type { PerKind } from "./split-node-price.ts";

/** Milliseconds of an hour. */
const HOUR_MS = 3_600_000n;

/** A node during one hour. */
export interface NodeHour extends PriceableNode {
  readonly allocatable: ResourceNanos;
  /** How much of the hour it existed, 0 to 3,600,000. */
  readonly presentMs: number;
}

/** A quantity held over time: nano-units × milliseconds. */
export type QuantityMillis = bigint;

/** What somebody held on a node during the hour. */
export interface HeldHour<User> {
  readonly user: User;
  /** ∫ request dt by resource: what virtual nodes are priced by. */
  readonly requested: ReadonlyMap<string, QuantityMillis>;
  /** ∫ max(request, usage) dt by resource. */
  readonly charged: ReadonlyMap<string, QuantityMillis>;
}

/** The share of a user, the system, or nobody, of one resource of a node in one hour. */
export interface HourShare<User> {
  readonly resource: string;
  readonly resourceKind: keyof PerKind;
  readonly kind: CostKind;
  /** Null for idle and for what the node keeps for itself. */
  readonly user: User | null;
  /** Before any rescaling. */
  readonly quantity: QuantityMillis;
  readonly cost: CostNanos;
}

/** One node and hour, split: Σ shares = cost, exactly. */
export interface HourAllocation<User> {
  readonly cost: CostNanos;
  readonly source: string;
  readonly pricing: Pricing;
  readonly shares: readonly HourShare<User>[];
  /** Resources whose charged shares were rescaled to allocatable. */
  readonly overCommitted: readonly string[];
}

/**
 * Prices an hour of a node (price × the share of the hour that it existed) and allocates it by what was held over time. The
 * same rules as `allocateNode`: with constant quantities over a whole hour, the same amounts. Undefined = unpriced. A virtual
 * node costs what its pods request. The order of `held` decides nothing but the last nano-unit.
 */
export function allocateNodeHour<User>(
  node: NodeHour,
  prices: PriceList,
  held: readonly HeldHour<User>[],
): HourAllocation<User> | undefined {
  const price = resolvePrice(node, prices);
  if (price === undefined) return undefined;
  return node.virtual ? allocateVirtual(node, price, held) : allocateReal(node, price, held);
}

function allocateReal<User>(
  node: NodeHour,
  price: NodePrice,
  held: readonly HeldHour<User>[],
): HourAllocation<User> | undefined {
  const cost = nodeCost(node, price, { num: BigInt(node.presentMs), den: HOUR_MS });
  if (cost === undefined) return undefined;
  const overCommitted: string[] = [];
  const shares = cost.resources.flatMap((resource) => {
    const split = allocateResource(node, resource, held);
    if (split.overCommitted) overCommitted.push(resource.resource);
    return split.shares;
  });
  return { cost: cost.cost, source: price.source, pricing: price.pricing, shares, overCommitted };
}

function allocateResource<User>(node: NodeHour, priced: ResourceCost, held: readonly HeldHour<User>[]) {
  const { resource, kind: resourceKind, capacity, cost } = priced;
  const present = BigInt(node.presentMs);
  const users = held.filter(({ charged }) => quantityOf(charged, resource) > 0n);
  const quantities = users.map(({ charged }) => quantityOf(charged, resource));
  const allocatable = node.allocatable.get(resource) ?? capacity;
  // A node that was not there at all cost nothing, whatever was held on it: there is nothing to split.
  const split = splitCapacity(cost, capacity * present, allocatable * present, present === 0n ? [] : quantities);
  const share = (kind: CostKind, user: User | null, { quantity, cost }: CapacityShare): HourShare<User> => {
    return { resource, resourceKind, kind, user, quantity, cost };
  };
  const shares = split.users.map((part, index) => share("workload", users[index]?.user ?? null, part));
  shares.push(share("idle", null, split.idle), share("system", null, split.system));
  return { shares, overCommitted: split.overCommitted };
}

function allocateVirtual<User>(
  node: NodeHour,
  price: NodePrice,
  held: readonly HeldHour<User>[],
): HourAllocation<User> | undefined {
  if (price.kind !== "unit") return undefined;
  const rates = ratesPerKind(price.rates);
  const shares = held.flatMap(({ user, requested }) =>
    [...requested].flatMap(([resource, quantity]): readonly HourShare<User>[] => {
      const priced = pricedResource(resource, node.labels);
      if (priced === undefined || quantity === 0n) return [];
      const hours = { num: 1n, den: HOUR_MS };
      const cost = roundedTimes(times(times(priced.units(quantity), hours), rates[priced.kind]), NANOS);
      return [{ resource, resourceKind: priced.kind, kind: "workload", user, quantity, cost }];
    }),
  );
  const cost = shares.reduce((sum, share) => sum + share.cost, 0n);
  return { cost, source: price.source, pricing: price.pricing, shares, overCommitted: [] };
}

function quantityOf(quantities: ReadonlyMap<string, QuantityNanos>, resource: string): QuantityMillis {
  return quantities.get(resource) ?? 0n;
}
