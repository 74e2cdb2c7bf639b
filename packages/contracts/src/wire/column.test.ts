import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeIntegrals, decodeNumbers } from "./column-reader.ts";
import { encodeIntegrals, encodeNumbers } from "./column-writer.ts";
import { Decoding } from "./decoding.ts";
import { DEFAULT_WIRE_LIMITS } from "./limits.ts";

const MAX_INT64 = 2n ** 63n - 1n;

const number = fc.oneof(
  fc.maxSafeNat(),
  fc.nat(300),
  // Around the places where a varint grows by a byte, and where halves of 32 bits meet.
  fc
    .tuple(fc.nat(53), fc.integer({ min: -2, max: 2 }))
    .map(([bits, by]) => Math.min(Math.max(0, 2 ** bits + by), Number.MAX_SAFE_INTEGER)),
);
const int64 = fc.oneof(
  fc.bigInt(0n, MAX_INT64),
  number.map(BigInt),
  fc.tuple(fc.nat(63), fc.integer({ min: -2, max: 1 })).map(([bits, by]) => {
    const value = 2n ** BigInt(bits) + BigInt(by);
    return value < 0n ? 0n : value > MAX_INT64 ? MAX_INT64 : value;
  }),
);
const step = fc.constantFrom(1, 7, 1000, 1_000_000, 2 ** 20);

test("numbers come back exactly, multiples of a step too", () => {
  fc.assert(
    fc.property(fc.array(number), step, (values, by) => {
      const scaled = values.map((value) => Math.floor(value / by) * by);
      expect(readNumbers(encodeNumbers(scaled, "f"), scaled.length)).toEqual(scaled);
    }),
    { numRuns: 1_000 },
  );
});

test("integrals of 63 bits come back exactly", () => {
  fc.assert(
    fc.property(fc.array(int64), step.map(BigInt), (values, by) => {
      const scaled = values.map((value) => (value / by) * by);
      const column = encodeIntegrals(scaled, "f");
      expect([...decodeIntegrals(column, "f", scaled.length, decoding())]).toEqual(scaled);
    }),
    { numRuns: 1_000 },
  );
});

test.each([[[-1n]], [[-1n, 2n ** 60n]], [[2n ** 63n]], [[0n, -(2n ** 63n)]]])("integrals %s are refused", (values) => {
  expect(() => encodeIntegrals(values, "f")).toThrow(expect.objectContaining({ code: "batch_invalid" }));
});

describe("a column is small when its values are alike", () => {
  const hour = Date.UTC(2026, 0, 15, 8);
  test.each([
    ["all 0: nothing", Array(1000).fill(0), 0],
    ["all the same: the value once", Array(1000).fill(hour), 8],
    ["ascending: one byte each", Array.from({ length: 1000 }, (_, n) => 1_000_000 + n), 1_010],
    ["whole hours: their number of hours", Array.from({ length: 1000 }, (_, n) => hour + (n % 3) * 3_600_000), 1_020],
    ["whole millicores of nanocores", Array.from({ length: 1000 }, (_, n) => ((n * 37) % 127) * 1_000_000), 1_010],
  ])("%s", (_, values, atMost) => {
    const column = encodeNumbers(values, "f");
    expect(column?.length ?? 0).toBeLessThanOrEqual(atMost);
    expect(readNumbers(column, values.length)).toEqual(values);
  });
});

function readNumbers(column: Uint8Array | undefined, rows: number): number[] {
  return [...decodeNumbers(column, "f", rows, Number.MAX_SAFE_INTEGER, decoding())];
}

function decoding(): Decoding {
  return new Decoding(DEFAULT_WIRE_LIMITS);
}
