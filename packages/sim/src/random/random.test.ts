import { expect, test } from "vitest";
import { hashUnit } from "./hash.ts";
import { createRandom } from "./random.ts";

test("the same seed gives the same stream, another seed another one", () => {
  const draw = (seed: string) => {
    const random = createRandom(seed);
    return [random.unit(), random.integer(0, 1_000_000), random.suffix(5), random.uuid()];
  };
  expect(draw("7/pay-prod")).toEqual(draw("7/pay-prod"));
  expect(draw("7/pay-prod")).not.toEqual(draw("8/pay-prod"));
});

test("integers reach both ends and spread evenly", () => {
  const random = createRandom("spread");
  const counts = new Map<number, number>();
  for (let i = 0; i < 10_000; i++) {
    const value = random.integer(3, 7);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  expect([...counts.keys()].sort()).toEqual([3, 4, 5, 6, 7]);
  for (const count of counts.values()) expect(Math.abs(count - 2_000)).toBeLessThan(200);
});

test("names and ids have the form Kubernetes gives them", () => {
  const random = createRandom("forms");
  expect(random.suffix(5)).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  expect(random.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("hashed units of neighbouring steps are spread evenly", () => {
  let sum = 0;
  for (let step = 0; step < 10_000; step++) sum += hashUnit(12345, step);
  expect(sum / 10_000).toBeCloseTo(0.5, 1);
  expect(hashUnit(1, 2)).toBe(hashUnit(1, 2));
  expect(hashUnit(1, 2)).not.toBe(hashUnit(2, 1));
});
