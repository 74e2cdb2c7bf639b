import { type ResourceNanos, toWireQuantity } from "@plimsoll/contracts";

/** Amounts by resource in wire units: nanocores, bytes, nanocounts. */
export type WireAmounts = ReadonlyMap<string, bigint>;

export const NO_AMOUNTS: WireAmounts = new Map();

/** Quantities in wire units; parts of a byte are rounded up, once. A zero stays: a usage of 0 is known, not unknown. */
export function toWireAmounts(resources: ResourceNanos): WireAmounts {
  return new Map([...resources].map(([name, nanos]) => [name, toWireQuantity(name, nanos)]));
}

/** The same without what is zero: a request of nothing is no request. */
export function withoutZeros(amounts: WireAmounts): WireAmounts {
  return new Map([...amounts].filter(([, amount]) => amount !== 0n));
}

/** Are two lists the same, resource by resource? */
export function sameAmounts(a: WireAmounts, b: WireAmounts): boolean {
  if (a.size !== b.size) return false;
  for (const [name, amount] of a) if (b.get(name) !== amount) return false;
  return true;
}
