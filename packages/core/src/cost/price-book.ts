import type { Currency, Rate, ResourceNanos } from "@plimsoll/contracts";
import type { NodePlacement } from "../nodes/node-placement.ts";

/** What the price of a node depends on; `NodeFacts` of a cluster that is read, and a node row that was delivered, have it. */
export interface PriceableNode extends NodePlacement {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Nano-units by resource. */
  readonly capacity: ResourceNanos;
  readonly virtual: boolean;
  readonly spot: boolean;
}

/** Prices of one unit for one hour: a core, a GiB of memory, a physical GPU card. */
export interface UnitRates {
  readonly cpu: Rate;
  readonly ram: Rate;
  readonly gpu: Rate;
}

export type Pricing = "on-demand" | "spot" | "reserved" | "savings-plan" | "custom";

/**
 * What a price book says of a node: a price per unit, or one price of the whole node an hour, which is split over its
 * capacity by `weights` (a known GPU price is taken off first).
 */
export type NodeRates =
  | { readonly kind: "unit"; readonly pricing: Pricing; readonly rates: UnitRates }
  | {
      readonly kind: "node";
      readonly pricing: Pricing;
      readonly hourly: Rate;
      readonly weights: UnitRates;
      readonly gpuEach?: Rate;
    };

/** A source of prices. The same node must always get the same answer. */
export interface PriceBook {
  /** Stored with every price: "bill", "custom", "list", "default". */
  readonly source: string;
  /** Undefined when the book has no price for the node; the next book is asked. */
  readonly ratesOf: (node: PriceableNode) => NodeRates | undefined;
}

/** The books of one resolver, the most binding first: bill, negotiated, public list, default. All in one currency. */
export interface PriceList {
  readonly currency: Currency;
  readonly books: readonly PriceBook[];
}

/** The price of a node and where it is from. */
export type NodePrice = NodeRates & { readonly source: string };

/** The one resolver: the first book that has a price decides. Undefined when none has: the node is unpriced. */
export function resolvePrice(node: PriceableNode, list: PriceList): NodePrice | undefined {
  for (const { source, ratesOf } of list.books) {
    const rates = ratesOf(node);
    if (rates) return { ...rates, source };
  }
  return undefined;
}
