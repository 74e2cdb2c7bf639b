import { PlimsollError } from "@plimsoll/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatInstant, parseInstant, tryParseInstant } from "./instant.ts";

describe("an RFC 3339 time", () => {
  test.each([
    ["1970-01-01T00:00:00Z", 0n],
    ["1970-01-01T00:00:01.5Z", 1_500_000_000n],
    ["1970-01-01T08:00:00+08:00", 0n],
    ["1969-12-31T18:30:00-05:30", 0n],
    ["1969-12-31T23:59:59Z", -1_000_000_000n],
    ["1970-01-01T00:00:00.0000000019Z", 1n],
    ["1970-01-01t00:00:01z", 1_000_000_000n],
    ["0001-01-01T00:00:00Z", -62_135_596_800_000_000_000n],
    ["2024-02-29T00:00:00Z", 1_709_164_800_000_000_000n],
  ])("%s is %d ns", (text, nanos) => {
    expect(tryParseInstant(text)).toBe(nanos);
  });

  test.each([
    "",
    "2026-01-31",
    "2026-01-31T08:00:00",
    "2026-02-30T08:00:00Z",
    "2026-13-01T08:00:00Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T08:60:00Z",
    "2026-01-31T08:00:00+24:00",
    "2026-01-31 08:00:00Z",
    "1706688000",
  ])("%j is none", (text) => {
    expect(tryParseInstant(text)).toBeUndefined();
  });

  test("that is none is refused with its field", () => {
    expect(() => parseInstant("yesterday", "Pod/shop/cart PodScheduled")).toThrow(PlimsollError);
    expect(() => parseInstant("yesterday", "Pod/shop/cart PodScheduled")).toThrow(
      'Pod/shop/cart PodScheduled is "yesterday", which is no RFC 3339 time',
    );
  });

  test("written from any instant reads as that instant", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 19n), max: 10n ** 20n }), (nanos) => {
        expect(tryParseInstant(formatInstant(nanos))).toBe(nanos);
      }),
    );
  });
});
