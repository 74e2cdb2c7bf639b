import { GAP_REASONS } from "@plimsoll/contracts/wire";
import { expect, test } from "vitest";
import { en } from "../i18n/en.ts";
import { coveredPercent, lostPercent } from "./coverage.ts";

test.each([
  [1, "100%"],
  [0.999999, "99.9%"],
  [0.974, "97.4%"],
  [0.289, "28.9%"],
  [0, "0.0%"],
  [null, null],
])("a coverage of %s is %s: only what is whole is 100%", (fraction, expected) => {
  expect(coveredPercent({ fraction })).toBe(expected);
});

test.each([
  [0.000001, "<0.1%"],
  [0.02, "2.0%"],
  [1, "100.0%"],
])("a lost share of %s is %s", (fraction, expected) => {
  expect(lostPercent(fraction)).toBe(expected);
});

test("every reason of a gap record has words", () => {
  expect(GAP_REASONS.filter((reason) => !Object.hasOwn(en.coverage.reasons, reason))).toEqual([]);
});
