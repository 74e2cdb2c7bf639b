import { type Fact, HOUR_MS } from "./facts.ts";
import type { HeldGap } from "./held-facts.ts";

/**
 * What coverage of an hour that is over must be, from the newest versions of its facts and the gaps that are known: 0–1, six
 * places, rounded down.
 */
export function coverageOf(hourMs: number, newest: readonly Fact[], gaps: readonly HeldGap[]): number {
  const rows = newest.flatMap((fact) => (fact.kind === "usage" || fact.kind === "node" ? [fact.row] : []));
  const pods = newest.flatMap((fact) => (fact.kind === "usage" ? [fact.row] : []));
  const upToMs = rows.reduce((latest, { asOfMs }) => Math.max(latest, asOfMs), hourMs);
  const spanMs = upToMs - hourMs;
  const billed = pods.reduce((sum, { billedMs }) => sum + billedMs, 0);
  const unseen = pods.reduce((sum, { unseenMs }) => sum + unseenMs, 0);
  const seenMs = billed + unseen === 0 ? spanMs : Math.floor((spanMs * billed) / (billed + unseen));
  const coveredMs = Math.min(spanMs - hiddenMs(hourMs, upToMs, gaps), seenMs);
  return Math.floor((coveredMs / HOUR_MS) * 1e6) / 1e6;
}

/** Gaps of other kinds take nothing away from what cost is made of. */
const HIDING: readonly (string | null)[] = [null, "usage", "node"];

/** Milliseconds of a span that gaps hide together, counted by their edges. */
function hiddenMs(fromMs: number, toMs: number, gaps: readonly HeldGap[]): number {
  const hiding = gaps.filter(({ missing }) => HIDING.includes(missing));
  const edges = hiding
    .map(({ startMs, endMs }) => [Math.max(startMs, fromMs), Math.min(endMs, toMs)] as const)
    .filter(([start, end]) => end > start);
  const points = [...new Set(edges.flat())].toSorted((a, b) => a - b);
  return points.slice(1).reduce((sum, end, index) => {
    const start = points[index] ?? end;
    return edges.some(([from, to]) => from <= start && to >= end) ? sum + end - start : sum;
  }, 0);
}
