import { expect, test } from "vitest";
import { summarize } from "./test-summary.ts";

const suite = (name: string, passed: number, failed: number, skipped = 0) => ({ name, passed, failed, skipped });

test("sums passed and failed tests of all suites", () => {
  expect(summarize([suite("a", 3, 1), suite("b", 4, 0)], false)).toMatchObject({ passed: 7, failed: 1 });
});

test("a skipped test fails the run in CI and only there", () => {
  const results = [suite("a", 3, 0, 2)];
  expect(summarize(results, true).failed).toBe(2);
  expect(summarize(results, false).failed).toBe(0);
});

test("a suite that ran nothing fails the run in CI", () => {
  expect(summarize([suite("a", 0, 0)], true)).toMatchObject({ failed: 1, notes: ["a: ran no test"] });
});
