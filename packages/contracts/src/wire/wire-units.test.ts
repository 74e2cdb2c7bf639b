import { expect, test } from "vitest";
import { fromWireQuantity, roundSample, sampleStepOf, toWireQuantity, wireUnitOf } from "./wire-units.ts";

test.each([
  ["cpu", "nanocores", 1_500_000_000n, 1_500_000_000n],
  ["memory", "bytes", 2_000_000_000n, 2n],
  // A tenth of a byte is a byte.
  ["memory", "bytes", 100_000_000n, 1n],
  ["ephemeral-storage", "bytes", 0n, 0n],
  ["hugepages-2Mi", "bytes", 2_097_152_000_000_000n, 2_097_152n],
  ["nvidia.com/gpu", "nanocount", 1_000_000_000n, 1_000_000_000n],
  ["pods", "nanocount", 110_000_000_000n, 110_000_000_000n],
])("%s travels in %s", (resource, unit, nanos, wire) => {
  expect(wireUnitOf(resource)).toBe(unit);
  expect(toWireQuantity(resource, nanos)).toBe(wire);
  expect(fromWireQuantity(resource, wire)).toBeGreaterThanOrEqual(nanos);
});

test("an hour of the largest cluster fits into 63 bits", () => {
  const petabyteHour = 2n ** 50n * 3_600n;
  const coresHour = 100_000n * 1_000_000_000n * 3_600n;
  expect(petabyteHour < 2n ** 63n && coresHour < 2n ** 63n).toBe(true);
});

test("a sample is rounded to what a watermark needs, minimum ≤ average ≤ maximum stays true, unknown stays unknown", () => {
  const row = {
    scope: "node" as const,
    subject: "n",
    resource: "cpu",
    windowStartMs: 0,
    windowMs: 300_000,
    requested: null,
    usedMin: 1_499_999,
    usedAvg: 1_500_000,
    usedMax: 1_500_001,
    readings: 5,
  };
  expect(sampleStepOf("memory")).toBe(1_048_576);
  expect(roundSample(row)).toEqual({ ...row, usedMin: 1_000_000, usedAvg: 2_000_000, usedMax: 2_000_000 });
});
