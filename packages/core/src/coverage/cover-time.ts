import type { Coverage } from "./coverage.ts";
import { NOTHING_EXPECTED } from "./coverage.ts";
import { byRank } from "./loss-reasons.ts";
import { clipSpans, lengthOfSpans, subtractSpans, type TimeSpan, unionSpans } from "./time-spans.ts";

/** A span with what happened in it: a word of `LOSS_REASONS`, or one of a later release. */
export interface ReasonedSpan extends TimeSpan {
  readonly reason: string;
}

/** What the coverage of a time of one cluster is made of. Whole milliseconds. */
export interface CoverageFacts {
  /** Time of which facts should be there; null = none (the cluster was not registered yet). */
  readonly expected: TimeSpan | null;
  /** Facts run up to here. */
  readonly toldUpToMs: number;
  /** Time whose facts are lost, or never were, though later ones came. In any order, they may overlap. */
  readonly gaps: readonly ReasonedSpan[];
  /** Why facts may be absent: explains time beyond `toldUpToMs`, and takes nothing away before it. */
  readonly absences: readonly ReasonedSpan[];
  /** Σ over the pods: time that is billed, and time in which they may have run unseen. */
  readonly pods: { readonly billedMs: number; readonly unseenMs: number };
}

const NOTHING: ReadonlyMap<string, number> = new Map();

/**
 * The coverage of a time: what is expected, less the gaps, less what is not told yet, and of the told part no more than the
 * seen share of its pods' time (a gap and pods that ran unseen are often the same loss, so it counts once). Each lost
 * millisecond goes to one reason, the highest of `LOSS_REASONS` that is true of it.
 */
export function coverTime({ expected, toldUpToMs, gaps, absences, pods }: CoverageFacts): Coverage {
  if (expected === null || expected.toMs <= expected.fromMs) return NOTHING_EXPECTED;
  const told = { fromMs: expected.fromMs, toMs: Math.min(Math.max(toldUpToMs, expected.fromMs), expected.toMs) };
  const untold = { fromMs: told.toMs, toMs: expected.toMs };
  const inTold = attribute(gaps, told);
  const isWhole = untold.fromMs === untold.toMs;
  const beyond = isWhole ? NOTHING : attribute([...gaps, ...absences, { ...untold, reason: "facts_missing" }], untold);
  const unseenMs = unseenTime(told, pods) - sumOf(inTold);
  const expectedMs = expected.toMs - expected.fromMs;
  if (inTold.size + beyond.size === 0 && unseenMs <= 0) return { coveredMs: expectedMs, expectedMs, lost: NOTHING };
  const lost = new Map(inTold);
  for (const [reason, ms] of beyond) lost.set(reason, (lost.get(reason) ?? 0) + ms);
  if (unseenMs > 0) lost.set("unseen_pods", unseenMs);
  return { coveredMs: expectedMs - sumOf(lost), expectedMs, lost };
}

/** Time of `bounds` by reason: a millisecond of several goes to the highest. */
function attribute(spans: readonly ReasonedSpan[], bounds: TimeSpan): ReadonlyMap<string, number> {
  // Most hours have nothing: a month of a large fleet is hundreds of thousands of them.
  const within = spans.filter(({ fromMs, toMs }) => fromMs < bounds.toMs && toMs > bounds.fromMs);
  if (within.length === 0 || bounds.toMs <= bounds.fromMs) return NOTHING;
  const byReason = Map.groupBy(within, ({ reason }) => reason);
  const lost = new Map<string, number>();
  let taken: readonly TimeSpan[] = [];
  for (const [reason, same] of [...byReason].sort(([a], [b]) => byRank(a, b))) {
    const own = subtractSpans(unionSpans(clipSpans(same, bounds)), taken);
    if (own.length === 0) continue;
    lost.set(reason, lengthOfSpans(own));
    taken = unionSpans([...taken, ...own]);
  }
  return lost;
}

/** The unseen share of pods' time as a part of a span, rounded up. Exact: a large cluster's sums are beyond 2^53. */
function unseenTime({ fromMs, toMs }: TimeSpan, { billedMs, unseenMs }: CoverageFacts["pods"]): number {
  if (unseenMs === 0) return 0;
  const podsMs = BigInt(billedMs) + BigInt(unseenMs);
  const spanMs = BigInt(toMs - fromMs);
  return Number(spanMs - (spanMs * BigInt(billedMs)) / podsMs);
}

function sumOf(lost: ReadonlyMap<string, number>): number {
  return lost.values().reduce((sum, ms) => sum + ms, 0);
}
