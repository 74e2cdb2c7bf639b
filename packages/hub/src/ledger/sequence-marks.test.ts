import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addRange, EMPTY_MARK, formatRanges, holds, type Mark, parseRanges, withoutLost } from "./sequence-marks.ts";

const RANGE = fc
  .tuple(fc.integer({ min: 1, max: 60 }), fc.nat({ max: 6 }))
  .map(([first, length]) => ({ first, last: first + length }));
const RANGES = fc.array(RANGE, { maxLength: 40 });

const markOf = (ranges: readonly { readonly first: number; readonly last: number }[]): Mark =>
  ranges.reduce(addRange, EMPTY_MARK);

describe("the mark of a spool", () => {
  it.each([
    ["nothing", [], { contiguous: 0, ranges: [] }],
    ["the first", [[1, 1]], { contiguous: 1, ranges: [] }],
    ["one above a hole", [[3, 3]], { contiguous: 0, ranges: [{ first: 3, last: 3 }] }],
    [
      "a hole that is closed",
      [
        [2, 2],
        [1, 1],
      ],
      { contiguous: 2, ranges: [] },
    ],
    [
      "two ranges that grow together",
      [
        [3, 4],
        [6, 7],
        [5, 5],
      ],
      { contiguous: 0, ranges: [{ first: 3, last: 7 }] },
    ],
    [
      "a range over everything",
      [
        [2, 3],
        [5, 6],
        [1, 9],
      ],
      { contiguous: 9, ranges: [] },
    ],
    [
      "a repeat",
      [
        [1, 5],
        [2, 3],
      ],
      { contiguous: 5, ranges: [] },
    ],
  ])("of %s", (_, pairs, expected) => {
    expect(markOf(pairs.map(([first = 0, last = 0]) => ({ first, last })))).toEqual(expected);
  });

  it("without what is lost holds exactly the rest", () => {
    fc.assert(
      fc.property(RANGES, RANGES, (ranges, removed) => {
        const mark = markOf(ranges);
        const lost = markOf(removed);
        const ascending = lost.contiguous > 0 ? [{ first: 1, last: lost.contiguous }, ...lost.ranges] : lost.ranges;
        const left = withoutLost(mark, ascending);
        for (let sequence = 1; sequence <= 70; sequence += 1) {
          expect(holds(left, sequence)).toBe(holds(mark, sequence) && !holds(lost, sequence));
        }
        // In the one form that a mark has.
        expect(left).toEqual(
          markOf([...(left.contiguous > 0 ? [{ first: 1, last: left.contiguous }] : []), ...left.ranges]),
        );
      }),
    );
  });

  it("holds exactly what was added, in whatever order and however often", () => {
    fc.assert(
      fc.property(RANGES, (ranges) => {
        const mark = markOf(ranges);
        const truth = new Set(
          ranges.flatMap(({ first, last }) => [...Array(last - first + 1).keys()].map((i) => first + i)),
        );
        for (let sequence = 1; sequence <= 70; sequence += 1) expect(holds(mark, sequence)).toBe(truth.has(sequence));
      }),
    );
  });

  it("is the same for every order", () => {
    fc.assert(
      fc.property(
        RANGES.chain((ranges) =>
          fc.tuple(fc.constant(ranges), fc.shuffledSubarray(ranges, { minLength: ranges.length })),
        ),
        ([one, other]) => {
          expect(markOf(other)).toEqual(markOf(one));
        },
      ),
    );
  });

  it("has the fewest ranges: they ascend above the contiguous part, each apart from the next", () => {
    fc.assert(
      fc.property(RANGES, (ranges) => {
        const mark = markOf(ranges);
        let below = mark.contiguous + 1;
        for (const { first, last } of mark.ranges) {
          expect(first).toBeGreaterThan(below);
          expect(last).toBeGreaterThanOrEqual(first);
          below = last + 1;
        }
      }),
    );
  });

  it("takes thousands newest first with thousands of holes, and is one range when the holes are filled", () => {
    const holes = fc.uniqueArray(fc.integer({ min: 1, max: 6_000 }), { minLength: 1_500, maxLength: 2_500 });
    fc.assert(
      fc.property(holes, fc.boolean(), (missing, isNewestFirst) => {
        const left = new Set(missing);
        const all = Array.from({ length: 6_000 }, (_, index) => 6_000 - index);
        const come = all.filter((sequence) => !left.has(sequence));
        const holey = markOf(come.map((sequence) => ({ first: sequence, last: sequence })));
        // As many ranges as there are runs of what came, and no more: a hole is never there twice.
        const runs = come.filter((sequence) => left.has(sequence - 1) || sequence === 1).length;
        expect(holey.ranges.length + (holey.contiguous > 0 ? 1 : 0)).toBe(runs);
        for (const sequence of all) if (holds(holey, sequence) === left.has(sequence)) expect(sequence).toBe("wrong");
        const order = missing.toSorted((a, b) => (isNewestFirst ? b - a : a - b));
        const filled = order.reduce((mark, sequence) => addRange(mark, { first: sequence, last: sequence }), holey);
        expect(filled).toEqual({ contiguous: 6_000, ranges: [] });
      }),
      { numRuns: 10 },
    );
  });

  it("comes back from its stored form", () => {
    fc.assert(
      fc.property(RANGES, (ranges) => {
        const mark = markOf(ranges);
        expect(parseRanges(formatRanges(mark.ranges))).toEqual(mark.ranges);
      }),
    );
    expect(() => parseRanges('[["1",2]]')).toThrow(RangeError);
  });
});
