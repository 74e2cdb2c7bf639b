import fc from "fast-check";
import { expect, test } from "vitest";
import { formatMoney, formatRate, parseMoney, parseRate } from "./money.ts";

test.each([
  [0n, "0"],
  [1n, "0.000000001"],
  [-1_234_500_000n, "-1.2345"],
  // Beyond 2^53: a float would print ...741 or round the tail away.
  [9_007_199_254_740_993n, "9007199.254740993"],
])("formats %s nano-units exactly as %s", (nanos, text) => {
  expect(formatMoney(nanos)).toBe(text);
  expect(parseMoney(text)).toBe(nanos);
});

test("every amount survives text and back", () => {
  fc.assert(fc.property(fc.bigInt(), (nanos) => parseMoney(formatMoney(nanos)) === nanos));
});

test.each(["", "1,5", "1e3", "0.0000000001", "NaN", " 1"])("refuses %j as money", (text) => {
  expect(parseMoney(text)).toBeUndefined();
});

test("a rate finer than a nano-unit stays exact", () => {
  const rate = parseRate("0.00005479452");
  expect(rate).toEqual({ digits: 5479452n, scale: 11 });
  expect(rate && formatRate(rate)).toBe("0.00005479452");
});

test.each(["-1", "1e-3", "", "."])("refuses %j as a rate", (text) => {
  expect(parseRate(text)).toBeUndefined();
});
