import type { QuantityNanos } from "@plimsoll/contracts";
import { earlier, type InstantNanos, later, NANOS_PER_SECOND } from "./instant.ts";
import { billedDuration, type TimeWindow, type UsageInterval } from "./usage-interval.ts";

/** A value that holds from an instant until the next change. */
export interface ValueChange {
  readonly from: InstantNanos;
  readonly value: QuantityNanos;
}

/** A quantity held over time: nano-units × nanoseconds. Divide by 10⁹ for nanocore-seconds, once, at the end. */
export type IntegralNanos = bigint;

/** `∫ value dt` of one interval inside a window, by time; each change opens a new piece. Before the first change: 0. */
export function integrate(changes: readonly ValueChange[], interval: UsageInterval, window: TimeWindow): IntegralNanos {
  return splitAtChanges(changes, interval).reduce(
    (sum, piece) => sum + piece.value * billedDuration(piece.interval, window),
    0n,
  );
}

/** The pieces of an interval with the value that held in each: an in-place resize opens a new interval. */
export function splitAtChanges(
  changes: readonly ValueChange[],
  interval: UsageInterval,
): readonly { readonly interval: UsageInterval; readonly value: QuantityNanos }[] {
  const sorted = changes.toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  return sorted.flatMap(({ from, value }, index) => {
    const start = later(from, interval.start);
    const next = sorted[index + 1]?.from ?? null;
    const end = next === null || interval.end === null ? (next ?? interval.end) : earlier(interval.end, next);
    return end === null || end > start ? [{ interval: { start, end }, value }] : [];
  });
}

const NANOS_PER_HOUR = 3_600n * NANOS_PER_SECOND;

/**
 * An integral as nano-unit-hours (nanocores × nanoseconds → nanocore-hours), rounded to nearest, halves away from zero: for
 * showing. Sums are made of integrals.
 */
export function toNanoHours(integral: IntegralNanos): bigint {
  const half = integral < 0n ? -NANOS_PER_HOUR / 2n : NANOS_PER_HOUR / 2n;
  return (integral + half) / NANOS_PER_HOUR;
}
