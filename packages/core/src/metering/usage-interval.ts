import { PlimsollError } from "@plimsoll/contracts";
import { type DurationNanos, earlier, formatInstant, type InstantNanos, later, NANOS_PER_SECOND } from "./instant.ts";

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
  const start = later(interval.start, window.start);
  const end = interval.end === null ? window.end : earlier(interval.end, window.end);
  return end > start ? end - start : 0n;
}

function secondsUp(duration: DurationNanos): string {
  return ((duration + NANOS_PER_SECOND - 1n) / NANOS_PER_SECOND).toString();
}

/**
 * One interval of several sightings of the same pod (two collectors, an old and a new snapshot): from the earliest start to
 * the latest known end; a known end beats "still running", which was only seen earlier. Order and repetition change nothing.
 */
export function mergeSightings(a: UsageInterval, b: UsageInterval): UsageInterval {
  return {
    start: earlier(a.start, b.start),
    end: a.end === null ? b.end : b.end === null ? a.end : later(a.end, b.end),
  };
}

/** `mergeSightings` for many: a pod's UID is its only identity, two pods of one name are two. */
export function mergeByUid(
  sightings: Iterable<{ readonly uid: string; readonly interval: UsageInterval }>,
): ReadonlyMap<string, UsageInterval> {
  const merged = new Map<string, UsageInterval>();
  for (const { uid, interval } of sightings) {
    const known = merged.get(uid);
    merged.set(uid, known ? mergeSightings(known, interval) : interval);
  }
  return merged;
}
