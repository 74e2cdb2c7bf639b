import { expect, test } from "vitest";
import { toPublishedUnit, unitOf } from "./units.ts";

test.each([
  ["cpu", "millicores"],
  ["memory", "bytes"],
  ["hugepages-2Mi", "bytes"],
  ["nvidia.com/gpu", "count"],
  ["pods", "count"],
])("%s is published in %s", (resource, unit) => {
  expect(unitOf(resource)).toBe(unit);
});

test.each([
  ["cpu", 1_000n, 1n],
  ["cpu", 1_500_000_000n, 1500n],
  ["memory", 100_000_000n, 1n],
  ["memory", 0n, 0n],
  ["pods", 110_000_000_000n, 110n],
])("%s of %s nanos is %s, rounded up once", (resource, nanos, units) => {
  expect(toPublishedUnit(resource, nanos)).toBe(units);
});
