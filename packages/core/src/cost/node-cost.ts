import { type CostNanos, NANOS, type QuantityNanos } from "@plimsoll/contracts";
import { type Fraction, proportions, rateFraction, roundedTimes, sum, times, ZERO } from "./fraction.ts";
import type { NodePrice, PriceableNode, UnitRates } from "./price-book.ts";
import { pricedResource } from "./priced-resources.ts";
import { splitByWeights } from "./split-by-weights.ts";
import { type PerKind, splitNodePrice } from "./split-node-price.ts";

/** What one resource of a node costs: the whole capacity of it. */
export interface ResourceCost {
  readonly resource: string;
  /** How it is priced. */
  readonly kind: keyof PerKind;
  readonly capacity: QuantityNanos;
  readonly cost: CostNanos;
}

/** What a node costs for an hour or a part of one; the resources sum to it exactly. */
export interface NodeCost {
  readonly cost: CostNanos;
  readonly resources: readonly ResourceCost[];
}

const WHOLE_HOUR: Fraction = { num: 1n, den: 1n };

/**
 * The cost of an hour (or the `share` of an hour that it existed) of a node and of each priced resource of it, rounded half
 * up once, for the node. Undefined when the node does not say its cpu or memory,
 * or nothing of it has a price: it is unpriced, never averaged.
 */
export function nodeCost(
  node: Pick<PriceableNode, "capacity" | "labels">,
  price: NodePrice,
  share: Fraction = WHOLE_HOUR,
): NodeCost | undefined {
  if (!node.capacity.get("cpu") || !node.capacity.get("memory")) return undefined;
  const held = pricedCapacity(node);
  const unitPrices = unitPricesOf(price, held);
  if (!unitPrices) return undefined;
  const values = held.map(({ kind, units }) => times(units, unitPrices[kind]));
  const cost = roundedTimes(times(sum(values), share), NANOS);
  const parts = splitByWeights(cost, cost === 0n ? values.map(() => 0n) : proportions(values));
  return {
    cost,
    resources: held.map(({ resource, kind, capacity }, index) => ({
      resource,
      kind,
      capacity,
      cost: parts[index] ?? 0n,
    })),
  };
}

interface PricedCapacity {
  readonly resource: string;
  readonly capacity: QuantityNanos;
  readonly kind: keyof PerKind;
  readonly units: Fraction;
}

/** In text order, so that no order of input changes who gets the last nano-unit. */
function pricedCapacity(node: Pick<PriceableNode, "capacity" | "labels">): readonly PricedCapacity[] {
  const names = [...node.capacity.keys()].sort();
  return names.flatMap((resource) => {
    const capacity = node.capacity.get(resource) ?? 0n;
    const priced = capacity > 0n ? pricedResource(resource, node.labels) : undefined;
    return priced ? [{ resource, capacity, kind: priced.kind, units: priced.units(capacity) }] : [];
  });
}

function unitPricesOf(price: NodePrice, held: readonly PricedCapacity[]): PerKind | undefined {
  if (price.kind === "unit") return ratesPerKind(price.rates);
  const unitsOf = (kind: keyof PerKind): Fraction => sum(held.map((h) => (h.kind === kind ? h.units : ZERO)));
  const capacity = { cpu: unitsOf("cpu"), ram: unitsOf("ram"), gpu: unitsOf("gpu") };
  const gpuEach = price.gpuEach && rateFraction(price.gpuEach);
  return splitNodePrice(rateFraction(price.hourly), capacity, ratesPerKind(price.weights), gpuEach);
}

/** Rates as exact fractions. */
export function ratesPerKind(rates: UnitRates): PerKind {
  return { cpu: rateFraction(rates.cpu), ram: rateFraction(rates.ram), gpu: rateFraction(rates.gpu) };
}
