import type { GapRow } from "@plimsoll/contracts/wire";
import type { ReasonedSpan } from "@plimsoll/core";

/** Facts that a coverage is of: those that cost is made of, or the samples behind watermarks. */
export type CoveredFacts = "usage" | "samples";

/** Kinds of rows whose absence takes facts away. */
const MISSING: Readonly<Record<CoveredFacts, ReadonlySet<string | null>>> = {
  usage: new Set([null, "usage", "node"]),
  samples: new Set([null, "sample"]),
};

/**
 * Gap records as spans, those that take something away from facts of a kind. What is missing of a part of a cluster (a
 * namespace, a resource) is told with that part, and takes nothing away from the cluster's.
 */
export function gapSpans(gaps: readonly GapRow[], facts: CoveredFacts): readonly ReasonedSpan[] {
  return gaps
    .filter(({ missing, subject }) => subject === null && MISSING[facts].has(missing))
    .map(({ startMs, endMs, asOfMs, reason }) => ({ fromMs: startMs, toMs: endMs ?? asOfMs, reason }));
}
