import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitByWeights } from "./split-by-weights.ts";

describe("a split by weights", () => {
  it.each([
    [10n, [1n, 1n, 1n], [4n, 3n, 3n]],
    [100n, [1n, 2n, 3n], [17n, 33n, 50n]],
    [5n, [0n, 1n], [0n, 5n]],
    [0n, [0n, 0n], [0n, 0n]],
    [1n, [3n, 5n], [0n, 1n]],
  ])("gives the units left over to the largest remainders, the first among equals (%#)", (amount, weights, parts) => {
    expect(splitByWeights(amount, weights)).toEqual(parts);
  });

  it("sums to the amount, and each part is within one unit of its share", () => {
    const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 30n }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), weights, (amount, given) => {
        fc.pre(given.some((weight) => weight > 0n));
        const parts = splitByWeights(amount, given);
        const total = given.reduce((a, b) => a + b, 0n);
        expect(parts.reduce((a, b) => a + b, 0n)).toBe(amount);
        for (const [index, part] of parts.entries()) {
          const distance = part * total - amount * (given[index] ?? 0n);
          expect(distance < total && distance > -total).toBe(true);
        }
      }),
    );
  });

  it.each([
    ["a negative amount", -1n, [1n]],
    ["a negative weight", 1n, [2n, -1n]],
    ["something to split by nothing", 1n, [0n, 0n]],
  ])("refuses %s", (_, amount, weights) => {
    expect(() => splitByWeights(amount, weights)).toThrow(RangeError);
  });
});
