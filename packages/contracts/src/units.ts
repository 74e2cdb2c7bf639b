/**
 * Units. A number's unit is in its name or its type, never in the reader's memory.
 *
 * Quantities of every resource are whole nano-units in a `bigint`: one core is 1_000_000_000n (so a millicore is
 * 1_000_000n), one byte is 1_000_000_000n, one pod or GPU is 1_000_000_000n. Sums stay exact; rounding happens once,
 * at the edge, upwards (as Kubernetes does).
 */

/** A quantity in nano-units of its base unit (core, byte, item). Source: Kubernetes quantities, `core/quantity`. */
export type QuantityNanos = bigint;

/** Nano-units in one base unit. */
export const NANOS = 1_000_000_000n;

/** Quantities by resource name (`cpu`, `memory`, `pods`, `ephemeral-storage`, `nvidia.com/gpu` …), nano-units. */
export type ResourceNanos = ReadonlyMap<string, QuantityNanos>;

/** The unit a resource is shown in. cpu: millicores; memory and storage: bytes; everything else: count. */
export type ResourceUnit = "millicores" | "bytes" | "count";

/** The unit that `resource` is published in. Storage-like and hugepages resources are bytes, unknown ones are counts. */
export function unitOf(resource: string): ResourceUnit {
  if (resource === "cpu") return "millicores";
  if (resource === "memory" || resource === "ephemeral-storage" || resource.startsWith("hugepages-")) return "bytes";
  return "count";
}

/** Nano-units in one published unit of `resource`. */
export function nanosPerUnit(resource: string): bigint {
  return unitOf(resource) === "millicores" ? 1_000_000n : NANOS;
}

/** A quantity in its published unit, rounded up once (a tenth of a millicore is one millicore). */
export function toPublishedUnit(resource: string, nanos: QuantityNanos): bigint {
  const per = nanosPerUnit(resource);
  const floor = nanos / per;
  return nanos > 0n && nanos % per !== 0n ? floor + 1n : floor;
}
