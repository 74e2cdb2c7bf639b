import type { GapRow } from "@plimsoll/contracts/wire";

/** How much of an hour is backed by facts. */
export interface HourCoverage {
  readonly coveredMs: number;
  /** Of the whole hour: less where the cluster was registered in the middle of it. */
  readonly expectedMs: number;
}

/** What coverage is computed from. */
export interface CoverageFacts {
  readonly hourStartMs: number;
  /** Facts run up to here. */
  readonly upToMs: number;
  /** When the cluster was registered: nothing is expected of the time before. */
  readonly registeredAtMs: number;
  readonly gaps: readonly GapRow[];
  /** Σ over the pods of the hour: time that is billed, and time in which they may have run unseen. */
  readonly billedMs: number;
  readonly unseenMs: number;
}

const HOUR_MS = 3_600_000;

/**
 * Coverage of a cluster's hour: the time up to the newest fact, less the gaps in it, and no more than the seen share of its
 * pods' time (a gap and pods that ran unseen are often the same loss, so it counts once).
 */
export function hourCoverage(facts: CoverageFacts): HourCoverage {
  const { hourStartMs, upToMs, registeredAtMs, gaps, billedMs, unseenMs } = facts;
  const endMs = hourStartMs + HOUR_MS;
  // Facts of before the registration (a clock, an import) are facts all the same.
  const startMs = Math.min(Math.max(hourStartMs, registeredAtMs), upToMs);
  const span = { fromMs: startMs, toMs: Math.min(upToMs, endMs) };
  const spanMs = Math.max(0, span.toMs - span.fromMs);
  const podsMs = billedMs + unseenMs;
  const seenMs = podsMs === 0 ? spanMs : Math.floor((spanMs * billedMs) / podsMs);
  return { coveredMs: Math.min(spanMs - gappedMs(gaps, span), seenMs), expectedMs: endMs - startMs };
}

/** Time of a span that gaps of usage, of the whole cluster, cover together. */
function gappedMs(
  gaps: readonly GapRow[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): number {
  const whole = gaps.filter(({ missing, subject }) => subject === null && (missing === null || missing === "usage"));
  let sum = 0;
  let reachedMs = fromMs;
  for (const { startMs, endMs, asOfMs } of whole.toSorted((a, b) => a.startMs - b.startMs)) {
    const end = Math.min(endMs ?? asOfMs, toMs);
    const start = Math.max(startMs, reachedMs);
    if (end <= start) continue;
    sum += end - start;
    reachedMs = end;
  }
  return sum;
}
