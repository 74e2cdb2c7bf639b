import type { QuantityNanos } from "../units.ts";
import { NANOS, unitOf } from "../units.ts";
import type { SampleRow } from "./sample-row.ts";

/** Units of quantities on the wire, chosen so that an hour of the largest cluster fits into 63 bits. */
export type WireUnit = "nanocores" | "bytes" | "nanocount";

/** cpu: nanocores; memory, storage, hugepages: bytes; everything else: 10^-9 items. Integrals: the same × seconds. */
export function wireUnitOf(resource: string): WireUnit {
  const unit = unitOf(resource);
  return unit === "millicores" ? "nanocores" : unit === "bytes" ? "bytes" : "nanocount";
}

/** A quantity in nano-units as a wire quantity; parts of a byte are rounded up, once, as Kubernetes does. */
export function toWireQuantity(resource: string, nanos: QuantityNanos): bigint {
  return wireUnitOf(resource) === "bytes" ? (nanos + NANOS - 1n) / NANOS : nanos;
}

/** A wire quantity as a quantity in nano-units, exactly. */
export function fromWireQuantity(resource: string, quantity: bigint): QuantityNanos {
  return wireUnitOf(resource) === "bytes" ? quantity * NANOS : quantity;
}

/**
 * What samples are rounded to before they are encoded, in wire units: a millicore, a MiB, a thousandth of an item. A
 * watermark needs no more, and it makes a sample three times smaller. Usage integrals are never rounded.
 */
export function sampleStepOf(resource: string): number {
  return wireUnitOf(resource) === "bytes" ? 1024 * 1024 : 1_000_000;
}

/** The row with its figures rounded to the nearest `sampleStepOf`; minimum ≤ average ≤ maximum stays true. */
export function roundSample(row: SampleRow): SampleRow {
  const step = sampleStepOf(row.resource);
  const round = (value: number | null): number | null => (value === null ? null : Math.round(value / step) * step);
  return {
    ...row,
    requested: round(row.requested),
    usedMin: round(row.usedMin),
    usedAvg: round(row.usedAvg),
    usedMax: round(row.usedMax),
  };
}
