import type { SampleRow } from "@plimsoll/contracts/wire";

/** Windows that others are merged into, milliseconds, the longest first. */
const COARSE_WINDOWS_MS = [3_600_000, 900_000] as const;

/**
 * Samples in longer windows where every window inside of one is there: an hour, else a quarter of one; the others stay as
 * they are, so that no two windows ever overlap and none claims time that it does not cover. The average is weighted by
 * readings (rounded half up), minimum and maximum are kept, readings are added, and what was requested is that of the end.
 */
export function mergeSamples(rows: readonly SampleRow[]): readonly SampleRow[] {
  return COARSE_WINDOWS_MS.reduce(mergeInto, newestOfEach(rows));
}

/** One row for each window; the longest counts, then the one that came last, as at the hub. */
function newestOfEach(rows: readonly SampleRow[]): readonly SampleRow[] {
  const newest = new Map<string, SampleRow>();
  for (const row of rows) {
    const key = `${subjectOf(row)} ${row.windowStartMs}`;
    const held = newest.get(key);
    if (!held || held.windowMs <= row.windowMs) newest.set(key, row);
  }
  return [...newest.values()];
}

function mergeInto(rows: readonly SampleRow[], windowMs: number): readonly SampleRow[] {
  const startOf = (row: SampleRow): number => row.windowStartMs - (row.windowStartMs % windowMs);
  const buckets = Map.groupBy(rows, (row) => `${subjectOf(row)} ${startOf(row)}`);
  return [...buckets.values()].flatMap((bucket) => {
    const sorted = bucket.toSorted((a, b) => a.windowStartMs - b.windowStartMs);
    const last = sorted.at(-1);
    if (!last || sorted.length < 2 || !fills(sorted, startOf(last), windowMs)) return bucket;
    return [{ ...last, ...usedOf(sorted), windowStartMs: startOf(last), windowMs }];
  });
}

/** Do windows, one directly behind the other, make up a longer one exactly? */
function fills(sorted: readonly SampleRow[], startMs: number, windowMs: number): boolean {
  let at = startMs;
  for (const row of sorted) {
    if (row.windowStartMs !== at) return false;
    at += row.windowMs;
  }
  return at === startMs + windowMs;
}

/** What all of them together used. */
function usedOf(rows: readonly SampleRow[]): Pick<SampleRow, "usedMin" | "usedAvg" | "usedMax" | "readings"> {
  const known = rows.flatMap(({ usedMin, usedAvg, usedMax, readings }) =>
    usedMin === null || usedAvg === null || usedMax === null ? [] : [{ usedMin, usedAvg, usedMax, readings }],
  );
  if (known.length === 0) return { usedMin: null, usedAvg: null, usedMax: null, readings: 0 };
  return {
    usedMin: Math.min(...known.map(({ usedMin }) => usedMin)),
    usedAvg: weightedAverage(known),
    usedMax: Math.max(...known.map(({ usedMax }) => usedMax)),
    readings: known.reduce((sum, { readings }) => sum + readings, 0),
  };
}

/** Values reach 2^53 - 1, their sums beyond it. */
function weightedAverage(known: readonly { readonly usedAvg: number; readonly readings: number }[]): number {
  const readings = known.reduce((total, row) => total + BigInt(row.readings), 0n);
  const sum = known.reduce((total, row) => total + BigInt(row.usedAvg) * BigInt(row.readings), 0n);
  return Number((sum * 2n + readings) / (readings * 2n));
}

function subjectOf({ scope, resource, subject }: SampleRow): string {
  return `${scope} ${resource} ${subject}`;
}
