import { type DurationNanos, type InstantNanos, NANOS_PER_SECOND } from "./instant.ts";

/** An hour. */
export const HOUR: DurationNanos = 3_600n * NANOS_PER_SECOND;

const NANOS_PER_MILLI = 1_000_000n;

/** Start of the UTC hour that an instant lies in. */
export function hourOf(instant: InstantNanos): InstantNanos {
  return instant - (instant % HOUR);
}

/** Milliseconds since 1970 as an instant; a fraction of a millisecond is rounded. */
export function fromMillis(ms: number): InstantNanos {
  return BigInt(Math.round(ms)) * NANOS_PER_MILLI;
}

/** An instant or a length in whole milliseconds, downwards. */
export function toMillis(nanos: InstantNanos | DurationNanos): number {
  return Number(nanos / NANOS_PER_MILLI);
}
