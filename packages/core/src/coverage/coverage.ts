/**
 * How much of what should be known of a time is known: covered + Σ lost = expected, in whole milliseconds. Over several
 * clusters or hours they are sums.
 */
export interface Coverage {
  readonly coveredMs: number;
  readonly expectedMs: number;
  /** By reason, each above 0. No millisecond counts for two. */
  readonly lost: ReadonlyMap<string, number>;
}

/** Nothing was expected: neither covered nor lost. */
export const NOTHING_EXPECTED: Coverage = { coveredMs: 0, expectedMs: 0, lost: new Map() };

const DIGITS = 1e6;

/** The coverage of all of them together. */
export function sumCoverages(parts: Iterable<Coverage>): Coverage {
  let [coveredMs, expectedMs] = [0, 0];
  const lost = new Map<string, number>();
  for (const part of parts) {
    coveredMs += part.coveredMs;
    expectedMs += part.expectedMs;
    for (const [reason, ms] of part.lost) lost.set(reason, (lost.get(reason) ?? 0) + ms);
  }
  return { coveredMs, expectedMs, lost };
}

/** 0–1 to six places, rounded down: 1 only when nothing is lost. Null when nothing was expected. */
export function coverageFraction({ coveredMs, expectedMs }: Coverage): number | null {
  return expectedMs === 0 ? null : Math.floor((coveredMs / expectedMs) * DIGITS) / DIGITS;
}

/** Fractions of what was expected that are lost, the largest first, to six places and never rounded to nothing. */
export function lostFractions({
  expectedMs,
  lost,
}: Coverage): readonly { reason: string; lostMs: number; fraction: number }[] {
  return [...lost]
    .map(([reason, lostMs]) => ({
      reason,
      lostMs,
      fraction: Math.max(1, Math.round((lostMs / expectedMs) * DIGITS)) / DIGITS,
    }))
    .sort((a, b) => b.lostMs - a.lostMs || (a.reason < b.reason ? -1 : 1));
}
