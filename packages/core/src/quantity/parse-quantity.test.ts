import { readFileSync } from "node:fs";
import { NANOS, PlimsollError } from "@plimsoll/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatQuantity } from "./format-quantity.ts";
import { parseQuantity, tryParseQuantity } from "./parse-quantity.ts";

interface QuantityVector {
  readonly text: string;
  readonly value?: string;
}
const vectors: { cases: QuantityVector[] } = JSON.parse(
  readFileSync(new URL("../../../../test/vectors/quantities.json", import.meta.url), "utf8"),
);

/** A plain decimal as nano-units, on a path of its own. */
function decimalNanos(text: string): bigint {
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  const nanos = BigInt(whole) * NANOS + BigInt(fraction.padEnd(9, "0"));
  return text.startsWith("-") ? -nanos : nanos;
}

const CAP = (2n ** 63n - 1n) * NANOS;

describe("a quantity text", () => {
  test.each(vectors.cases)("has the value of the vectors: $text", ({ text, value }) => {
    expect(tryParseQuantity(text)).toBe(value === undefined ? undefined : decimalNanos(value));
  });

  test.each([
    ["0.0000000001", 1n],
    ["-0.0000000001", -1n],
    ["1.0000000001n", 2n],
    ["0.1n", 1n],
    ["1e-10", 1n],
    ["0.00000000000000000000Gi", 0n],
    ["0.0000000000000000001Ki", 1n],
  ])("finer than nano rounds away from zero: %s", (text, nanos) => {
    expect(tryParseQuantity(text)).toBe(nanos);
  });

  test.each([
    ["8Ei", CAP],
    ["-8Ei", -CAP],
    ["9007199254740992Ki", CAP],
    ["9007199254740990.9999Ki", 9007199254740990n * 1024n * NANOS + 1023897600000n],
    ["9223372036854775808", 2n ** 63n * NANOS],
  ])("with a binary suffix is capped at 2^63−1, any other is not: %s", (text, nanos) => {
    expect(tryParseQuantity(text)).toBe(nanos);
  });

  test.each([
    ["", undefined],
    [".", 0n],
    ["+", 0n],
    ["-", 0n],
    ["m", 0n],
    ["Ti", 0n],
    ["Pi", undefined],
    ["-Ei", undefined],
    ["0Ei", 0n],
    ["e3", 0n],
    ["e-9", 0n],
    ["e-10", undefined],
    ["5.Ei", 5n * 2n ** 60n * NANOS],
  ])("without digits is 0 where upstream says so: %j", (text, nanos) => {
    expect(tryParseQuantity(text)).toBe(nanos);
  });

  test.each([
    ["1e4294967296", NANOS],
    ["15e-4294967297", NANOS + NANOS / 2n],
    ["1e9223372036854775808", undefined],
    ["0e-999999999", 0n],
    ["1e-999999999", 1n],
    ["1e999999999", undefined],
    ["1e2147483647", undefined],
    ["1.5e-2147483648", undefined],
    [`1${"0".repeat(5_000)}`, undefined],
  ])("of a monstrous exponent or length is answered at once: %.20s", (text, nanos) => {
    expect(tryParseQuantity(text)).toBe(nanos);
  });

  test.each([
    " 1",
    "1 ",
    "1\n",
    "1 Gi",
    "+-1",
    "1e",
    "1e+",
    "1E3Mi",
    "0x10",
    "1,5",
    "٣",
    "NaN",
    "Infinity",
    "1i",
    "1Kib",
  ])("is refused: %j", (text) => {
    expect(tryParseQuantity(text)).toBeUndefined();
  });

  test.each([
    [2, 2n * NANOS],
    [0.25, NANOS / 4n],
    [-1.5, (-3n * NANOS) / 2n],
    [1e21, 10n ** 30n],
    [1e-7, 100n],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
  ])("may be a number, as YAML allows: %d", (value, nanos) => {
    expect(tryParseQuantity(value)).toBe(nanos);
  });

  test("that is refused is named with its field", () => {
    const act = (): bigint => parseQuantity("1 Gi", "Pod/shop/cart spec.containers[web].resources.requests.memory");
    expect(act).toThrow(PlimsollError);
    expect(act).toThrow(
      'Pod/shop/cart spec.containers[web].resources.requests.memory is "1 Gi", which is no Kubernetes quantity',
    );
  });

  test("of a million characters does not fill the message", () => {
    expect(() => parseQuantity("x".repeat(1_000_000), "f")).toThrow(/^.{1,150}$/);
  });

  test("written from any value reads as that value", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 27n), max: 10n ** 27n }),
        fc.constantFrom("decimal", "binary"),
        (n, style) => {
          expect(tryParseQuantity(formatQuantity(n, style))).toBe(n);
        },
      ),
    );
  });
});
