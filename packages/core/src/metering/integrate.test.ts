import fc from "fast-check";
import { expect, test } from "vitest";
import { integrate, splitAtChanges, toNanoHours } from "./integrate.ts";
import { billedDuration, mergeSightings } from "./usage-interval.ts";

const instant = fc.bigInt({ min: 0n, max: 10_000n });
const interval = fc
  .tuple(instant, fc.option(instant))
  .map(([a, b]) => (b !== null && b < a ? { start: b, end: a } : { start: a, end: b }));
const changes = fc.array(fc.record({ from: instant, value: fc.bigInt({ min: 0n, max: 10n ** 18n }) }), {
  maxLength: 8,
});
const cuts = fc
  .uniqueArray(instant, { minLength: 2, maxLength: 6 })
  .map((points) => points.toSorted((a, b) => (a < b ? -1 : 1)));

test("neighbouring windows bill together exactly what one window over all of them bills", () => {
  fc.assert(
    fc.property(interval, changes, cuts, (held, values, points) => {
      const windows = points.slice(1).map((end, i) => ({ start: points[i] ?? end, end }));
      const whole = { start: points[0] ?? 0n, end: points.at(-1) ?? 0n };
      const parts = windows.reduce((sum, window) => sum + integrate(values, held, window), 0n);
      expect(parts).toBe(integrate(values, held, whole));
      expect(windows.reduce((sum, window) => sum + billedDuration(held, window), 0n)).toBe(billedDuration(held, whole));
    }),
  );
});

test("the integral is the value of each instant, summed", () => {
  const valueAt = (values: readonly { from: bigint; value: bigint }[], t: bigint): bigint =>
    values.toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0)).findLast(({ from }) => from <= t)
      ?.value ?? 0n;
  const small = fc.bigInt({ min: 0n, max: 40n });
  const held = fc
    .tuple(small, fc.option(small))
    .map(([start, length]) => ({ start, end: length === null ? null : start + length }));
  const few = fc.array(fc.record({ from: small, value: small }), { maxLength: 5 });
  fc.assert(
    fc.property(held, few, (pod, values) => {
      const window = { start: 5n, end: 60n };
      let sum = 0n;
      for (let t = window.start; t < window.end; t += 1n) {
        if (t >= pod.start && (pod.end === null || t < pod.end)) sum += valueAt(values, t);
      }
      expect(integrate(values, pod, window)).toBe(sum);
    }),
  );
});

test("a resize opens a new interval, in order of time whatever the order of the input", () => {
  const values = [
    { from: 30n, value: 2n },
    { from: 0n, value: 1n },
  ];
  expect(splitAtChanges(values, { start: 10n, end: null })).toEqual([
    { interval: { start: 10n, end: 30n }, value: 1n },
    { interval: { start: 30n, end: null }, value: 2n },
  ]);
  expect(splitAtChanges(values, { start: 10n, end: 20n })).toEqual([{ interval: { start: 10n, end: 20n }, value: 1n }]);
});

test("sightings of one pod merge to the same interval in any order and any number", () => {
  fc.assert(
    fc.property(interval, interval, interval, (a, b, c) => {
      expect(mergeSightings(a, b)).toEqual(mergeSightings(b, a));
      expect(mergeSightings(mergeSightings(a, b), c)).toEqual(mergeSightings(a, mergeSightings(b, c)));
      expect(mergeSightings(a, a)).toEqual(a);
    }),
  );
});

test("a known end beats still running, the later of two ends stands", () => {
  expect(mergeSightings({ start: 5n, end: null }, { start: 7n, end: 9n })).toEqual({ start: 5n, end: 9n });
  expect(mergeSightings({ start: 5n, end: 8n }, { start: 7n, end: 9n })).toEqual({ start: 5n, end: 9n });
  expect(mergeSightings({ start: 5n, end: null }, { start: 7n, end: null })).toEqual({ start: 5n, end: null });
});

test.each([
  [3_600n * 10n ** 18n, 10n ** 9n],
  [1_800_000_000_000n, 1n],
  [1_799_999_999_999n, 0n],
  [-1_800_000_000_000n, -1n],
])("an integral of %d is %d nano-hours, rounded to nearest", (integral, hours) => {
  expect(toNanoHours(integral)).toBe(hours);
});
