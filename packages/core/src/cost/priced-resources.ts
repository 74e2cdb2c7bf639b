import { NANOS, type QuantityNanos } from "@plimsoll/contracts";
import { cardShare } from "../nodes/gpu-cards.ts";
import type { Fraction } from "./fraction.ts";
import type { PerKind } from "./split-node-price.ts";

/** How a resource is priced: as which kind, and how many priced units a quantity of it is. */
export interface PricedResource {
  readonly kind: keyof PerKind;
  /** Cores, GiB or physical cards. */
  readonly units: (quantity: QuantityNanos) => Fraction;
}

const NANOS_PER_GIB = NANOS << 30n;

/** How `resource` is priced on a node with these labels; undefined when it has no price of its own. */
export function pricedResource(resource: string, labels: Readonly<Record<string, string>>): PricedResource | undefined {
  if (resource === "cpu") return { kind: "cpu", units: (num) => ({ num, den: NANOS }) };
  if (resource === "memory") return { kind: "ram", units: (num) => ({ num, den: NANOS_PER_GIB }) };
  const share = cardShare(resource, labels);
  if (!share) return undefined;
  const { numerator, denominator } = share;
  return { kind: "gpu", units: (nanos) => ({ num: nanos * numerator, den: NANOS * denominator }) };
}
