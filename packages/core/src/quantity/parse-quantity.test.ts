import { readFileSync } from "node:fs";
import { NANOS, PlimsollError } from "@plimsoll/contracts";
import { describe, expect, test } from "vitest";
import { parseQuantity, tryParseQuantity } from "./parse-quantity.ts";

interface QuantityVector {
  readonly text: string;
  readonly value?: string;
  readonly error?: boolean;
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

describe("a quantity text", () => {
  test.each(vectors.cases)("of the vectors: $text", ({ text, value }) => {
    expect(tryParseQuantity(text)).toBe(value === undefined ? undefined : decimalNanos(value));
  });
});
