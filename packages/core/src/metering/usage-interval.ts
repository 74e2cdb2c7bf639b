import { PlimsollError } from "@plimsoll/contracts";
import { type DurationNanos, formatInstant, type InstantNanos, NANOS_PER_SECOND } from "./instant.ts";

/** What a pod held on a node from `start` to `end`, half-open; `end` null = still running. */
export interface UsageInterval {
  readonly start: InstantNanos;
  readonly end: InstantNanos | null;
}

/** Hours, days and months to bill: half-open `[start, end)`. */
export interface TimeWindow {
  readonly start: InstantNanos;
  readonly end: InstantNanos;
}

/** A start and end as they were read, made an interval or put aside. */
export type CheckedInterval =
  | { readonly status: "ok" | "clamped"; readonly interval: UsageInterval }
  | { readonly status: "quarantined"; readonly error: PlimsollError };

/** An end this much before its start is a clock's fault and becomes an empty interval; more is quarantined. */
export const CLAMP_LIMIT: DurationNanos = 5n * NANOS_PER_SECOND;

/**
 * Makes an interval of a start and an end. An end up to 5 s before its start is clamped to it (count those); further back
 * it is `interval_end_before_start` and nothing is billed. `field` names whose it is: "Pod/shop/cart".
 */
export function checkInterval(start: InstantNanos, end: InstantNanos | null, field: string): CheckedInterval {
  if (end === null || end >= start) return { status: "ok", interval: { start, end } };
  if (start - end <= CLAMP_LIMIT) return { status: "clamped", interval: { start, end: start } };
  const error = new PlimsollError("interval_end_before_start", {
    field,
    start: formatInstant(start),
    end: formatInstant(end),
    seconds: secondsUp(start - end),
  });
  return { status: "quarantined", error };
}

/** How long an interval lies inside a window. An open interval reaches to the window's end, so end windows at "now". */
export function billedDuration(interval: UsageInterval, window: TimeWindow): DurationNanos {
  const start = interval.start > window.start ? interval.start : window.start;
  const end = interval.end !== null && interval.end < window.end ? interval.end : window.end;
  return end > start ? end - start : 0n;
}

function secondsUp(duration: DurationNanos): string {
  return ((duration + NANOS_PER_SECOND - 1n) / NANOS_PER_SECOND).toString();
}
