import type { SampleRow } from "@plimsoll/contracts/wire";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeSamples } from "./merge-samples.ts";

const HOUR = Date.UTC(2026, 0, 31, 8);
const WINDOW_MS = 300_000;

const row = (window: number, change: Partial<SampleRow> = {}): SampleRow => ({
  scope: "node",
  subject: "n1",
  resource: "cpu",
  windowStartMs: HOUR + window * WINDOW_MS,
  windowMs: WINDOW_MS,
  requested: 100 + window,
  usedMin: window,
  usedAvg: 10 + window,
  usedMax: 20 + window,
  readings: 5,
  ...change,
});
const rowsOf = (from: number, to: number): SampleRow[] =>
  Array.from({ length: to - from + 1 }, (_, index) => row(from + index));

describe("samples of a full spool", () => {
  test("become one window an hour: average by readings, minimum and maximum kept, requested of its end", () => {
    expect(mergeSamples(rowsOf(0, 11))).toEqual([
      row(0, { windowMs: 3_600_000, requested: 111, usedMin: 0, usedAvg: 16, usedMax: 31, readings: 60 }),
    ]);
    const weighted = rowsOf(0, 11).map((one, index) => (index === 3 ? { ...one, usedAvg: 13, readings: 55 } : one));
    expect(mergeSamples(weighted)[0]).toMatchObject({ usedAvg: 14, readings: 110 });
  });

  test("of which a window is missing become quarters of an hour where they can, and stay as they are elsewhere", () => {
    const windows = mergeSamples([...rowsOf(1, 6), ...rowsOf(8, 11)]);
    expect(
      windows.map(({ windowStartMs, windowMs }) => [(windowStartMs - HOUR) / WINDOW_MS, windowMs / WINDOW_MS]),
    ).toEqual([
      [1, 1],
      [2, 1],
      [3, 3],
      [6, 1],
      [8, 1],
      [9, 3],
    ]);
  });

  test("that are unknown stay unknown, and take nothing from those that are known", () => {
    const unknown = { usedMin: null, usedAvg: null, usedMax: null, readings: 0 };
    const half = rowsOf(0, 11).map((one, index) => (index < 6 ? { ...one, ...unknown } : one));
    expect(mergeSamples(half)).toEqual([
      row(0, { windowMs: 3_600_000, requested: 111, usedMin: 6, usedAvg: 19, usedMax: 31, readings: 30 }),
    ]);
    expect(mergeSamples(rowsOf(0, 2).map((one) => ({ ...one, ...unknown, requested: null })))).toEqual([
      row(0, { windowMs: 900_000, requested: null, ...unknown }),
    ]);
  });

  test("that came twice count once, the later one", () => {
    expect(mergeSamples([row(0), row(0, { usedAvg: 11 })])).toEqual([row(0, { usedAvg: 11 })]);
  });

  test("cover the same time and keep sum, minimum and maximum, whatever is missing and however large they are", () => {
    const used = fc.tuple(fc.maxSafeNat(), fc.maxSafeNat(), fc.maxSafeNat()).map((three) => {
      const [usedMin = 0, usedAvg = 0, usedMax = 0] = three.toSorted((a, b) => a - b);
      return { usedMin, usedAvg, usedMax };
    });
    const any = fc
      .tuple(fc.nat({ max: 47 }), fc.constantFrom("n1", "n2"), used, fc.integer({ min: 1, max: 60 }))
      .map(([window, subject, values, readings]) => row(window, { subject, readings, ...values }));
    const rows = fc.uniqueArray(any, {
      maxLength: 96,
      selector: ({ subject, windowStartMs }) => `${subject} ${windowStartMs}`,
      size: "max",
    });
    fc.assert(
      fc.property(rows, (given) => {
        const merged = mergeSamples(given);
        for (const subject of ["n1", "n2"]) {
          const [before, after] = [given, merged].map((all) => all.filter((one) => one.subject === subject));
          if (!before || !after) throw new Error("both are there");
          expect(spansOf(after)).toEqual(spansOf(before));
          expect(extremesOf(after)).toEqual(extremesOf(before));
          // Each merged average is rounded once at each level: half a unit for each of its readings.
          const [exact, rounded] = [sumOf(before), sumOf(after)];
          const readings = before.reduce((sum, one) => sum + BigInt(one.readings), 0n);
          expect(exact > rounded ? exact - rounded : rounded - exact).toBeLessThanOrEqual(readings);
        }
      }),
    );
  });
});

/** The time that windows cover, those that touch joined; fails for two that overlap. */
function spansOf(rows: readonly SampleRow[]): number[][] {
  const spans: number[][] = [];
  for (const { windowStartMs, windowMs } of rows.toSorted((a, b) => a.windowStartMs - b.windowStartMs)) {
    const end = spans.at(-1)?.[1] ?? 0;
    expect(windowStartMs).toBeGreaterThanOrEqual(end);
    if (windowStartMs === end) spans.at(-1)?.splice(1, 1, windowStartMs + windowMs);
    else spans.push([windowStartMs, windowStartMs + windowMs]);
  }
  return spans;
}

function extremesOf(rows: readonly SampleRow[]): number[] {
  const readings = rows.reduce((sum, one) => sum + one.readings, 0);
  return [Math.min(...rows.map((one) => one.usedMin ?? 0)), Math.max(...rows.map((one) => one.usedMax ?? 0)), readings];
}

function sumOf(rows: readonly SampleRow[]): bigint {
  return rows.reduce((sum, one) => sum + BigInt(one.usedAvg ?? 0) * BigInt(one.readings), 0n);
}
