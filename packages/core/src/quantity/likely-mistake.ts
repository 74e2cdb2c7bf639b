import { NANOS, type QuantityNanos, unitOf } from "@plimsoll/contracts";

/**
 * Is the quantity legal but most likely not what its author meant? True for a fraction of a byte: `memory: 100m` is a
 * tenth of a byte, and `100Mi` was meant.
 */
export function isLikelyMistake(resource: string, nanos: QuantityNanos): boolean {
  const base = resource.replace(/^(requests|limits)\./, "");
  return unitOf(base) === "bytes" && nanos % NANOS !== 0n;
}
