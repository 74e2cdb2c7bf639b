import { describe, expect, it } from "vitest";
import { createUsageGaps } from "./usage-gaps.ts";

const HOLD = 150;

/** Readings as `known at`, then what is told: start, end, up to. */
function told(...readings: readonly (readonly [isKnown: boolean, atMs: number])[]) {
  const gaps = createUsageGaps();
  return readings.map(([isKnown, atMs]) => {
    gaps.read(isKnown, atMs, HOLD);
    return gaps.take().map(({ startMs, endMs, asOfMs }) => [startMs, endMs, asOfMs]);
  });
}

describe("the time without usage", () => {
  it("is none while readings hold, though one of them fails", () => {
    expect(told([true, 0], [false, 60], [false, 120], [true, 180])).toEqual([[], [], [], []]);
  });

  it("begins where the last good reading stops to hold, is told again while it lasts, and ends with the next", () => {
    expect(told([true, 0], [false, 160], [false, 220], [true, 280], [true, 340])).toEqual([
      [],
      [[150, null, 160]],
      [[150, null, 220]],
      [[150, 280, 280]],
      [],
    ]);
  });

  it("is no gap of a cluster whose usage could never be read", () => {
    expect(told([false, 0], [false, 1_000], [true, 2_000])).toEqual([[], [], []]);
  });

  it("begins anew after it ended", () => {
    expect(told([true, 0], [false, 200], [true, 300], [false, 500]).at(-1)).toEqual([[450, null, 500]]);
  });
});
