import { describe, expect, test } from "vitest";
import { ageSeconds, formatAge, formatInstant } from "./age.ts";
import { decimalsFor, formatAmount, formatPrice, sharePercent, sumAmounts } from "./money.ts";
import { formatNodes, formatNodesShort } from "./node-states.ts";
import { formatPercent, percentOf } from "./percent.ts";
import { plainText } from "./plain-text.ts";
import { formatCount, formatExactQuantity, formatQuantity } from "./quantity.ts";
import { pad, textWidth, truncate, wrap } from "./text-width.ts";
import { formatVersion, formatVersionShort } from "./version.ts";
import { bandOf } from "./watermark-band.ts";

describe("percentages", () => {
  test.each([
    [0n, 100n, "0%"],
    [1n, 1000n, "<1%"],
    [899n, 1000n, "89%"],
    [900n, 1000n, "90%"],
    [1500n, 1000n, "150%"],
    [null, 1000n, "–"],
    [5n, null, "–"],
    [5n, 0n, "–"],
    [5n, undefined, "–"],
  ])("%s of %s is %s", (part, whole, text) => expect(formatPercent(part, whole)).toBe(text));

  test("a figure beyond 2^53 is not rounded up over a line", () => {
    expect(percentOf(9n * 10n ** 30n - 1n, 10n ** 31n)).toBe(89);
  });
});

test.each([
  [0, "idle"],
  [19, "idle"],
  [20, "low"],
  [40, "good"],
  [75, "high"],
  [90, "critical"],
  [140, "critical"],
  [null, null],
])("%s %% lies in the band %s", (percent, band) => expect(bandOf(percent)).toBe(band));

describe("quantities name their unit", () => {
  test.each([
    ["millicores", 0n, "0 cores"],
    ["millicores", 50n, "50 millicores"],
    ["millicores", 250n, "0.3 cores"],
    ["millicores", 1000n, "1 core"],
    ["millicores", 156_800n, "156.8 cores"],
    ["bytes", 0n, "0 bytes"],
    ["bytes", 1023n, "1,023 bytes"],
    ["bytes", 1024n, "1 KiB"],
    ["bytes", 604n * 1024n ** 3n, "604 GiB"],
    ["bytes", 3n * 1024n ** 4n, "3 TiB"],
    ["count", 2320n, "2,320"],
    ["count", null, "–"],
  ] as const)("%s %s is %s", (unit, value, text) => expect(formatQuantity(unit, value)).toBe(text));

  test("the exact form keeps every digit", () => {
    expect(formatExactQuantity("bytes", 9_007_199_254_740_993n)).toBe("9,007,199,254,740,993 bytes");
    expect(formatExactQuantity("bytes", null)).toBe("unknown");
    expect(formatCount(null)).toBe("–");
  });
});

describe("money", () => {
  test.each([
    ["0", 2, "0.00"],
    ["17.540816", 2, "17.54"],
    ["1234567.5", 2, "1,234,567.50"],
    ["0.000316", 2, "<0.01"],
    ["-0.5", 2, "-0.50"],
    ["9007199.254740993", 9, "9,007,199.254740993"],
    [null, 2, "–"],
    ["n/a", 2, "–"],
  ] as const)("%s with %s decimals reads %s", (text, decimals, shown) =>
    expect(formatAmount(text, decimals)).toBe(shown),
  );

  test("a price carries its currency code", () => expect(formatPrice("CNY", "3.5")).toBe("CNY 3.50"));

  test.each([
    ["0.0316", 4],
    ["17.5", 2],
    ["123456", 0],
    [null, 4],
  ])("an amount of up to %s is read with %s decimals", (largest, decimals) =>
    expect(decimalsFor(largest)).toBe(decimals),
  );

  test("sums are exact, and what is no money is refused instead of counted as nothing", () => {
    expect(sumAmounts(["0.1", "0.2", "9007199.254740993"])).toBe("9007199.554740993");
    expect(() => sumAmounts(["1", "abc"])).toThrow('"abc" is no amount of money');
    expect(sharePercent("1", "3")).toBe(33.3);
    expect(sharePercent("1", "0")).toBeNull();
  });
});

describe("ages", () => {
  test.each([
    [12, "12 s"],
    [119, "119 s"],
    [300, "5 min"],
    [7200, "2 h"],
    [86_400 * 3, "3 d"],
    [null, "unknown age"],
  ])("%s seconds read %s", (seconds, text) => expect(formatAge(seconds)).toBe(text));

  test("an observation after the report, or of no time, has no negative age", () => {
    expect(ageSeconds("2026-01-01T00:00:05Z", "2026-01-01T00:00:00Z")).toBe(0);
    expect(ageSeconds("yesterday", "2026-01-01T00:00:00Z")).toBeNull();
    expect(formatInstant("2026-01-31T08:00:00+08:00")).toBe("2026-01-31 00:00:00 UTC");
    expect(formatInstant("yesterday")).toBe("yesterday");
  });
});

test("nodes are told by state, each under one reason", () => {
  const nodes = {
    total: 1202,
    schedulable: 1200,
    excluded: { NotReady: 1, Virtual: 1 },
    excludedFigures: [],
    reportingUsage: 0,
  };
  expect(formatNodes(nodes)).toBe("1,202 (1,200 ready, 1 virtual, 1 not ready)");
  expect(formatNodesShort(nodes)).toBe("1,200/1,202");
  expect(formatNodes({ ...nodes, total: 3, excluded: { NotReady: 0 } })).toBe("3");
  expect(formatNodes(null)).toBe("–");
});

test.each([
  ["v1.33.5-eks-7f9249a", ["v1.33.5-eks-7f9249a"], "v1.33.5-eks-7f9249a", "1.33.5"],
  ["v1.30.2", ["v1.29.8", "v1.30.2"], "v1.29.8 → v1.30.2", "1.29→1.30"],
  ["weird", [], "weird", "weird"],
  [null, [], "–", "–"],
])("version %s of %s reads %s, or %s", (version, versions, full, short) => {
  const record = { k8s_version: version, k8s_versions: versions };
  expect([formatVersion(record), formatVersionShort(record)]).toEqual([full, short]);
});

describe("text for a terminal", () => {
  test("control characters and direction marks cannot reach it", () => {
    expect(plainText("a\u001b[31mb\r\nc\u202ed\u0085e\u2066")).toBe("a�[31mb��c�d�e�");
    expect(plainText("生产-é🙂")).toBe("生产-é🙂");
  });

  test("widths are columns, not characters", () => {
    expect(textWidth("生产")).toBe(4);
    expect(pad("生产", 6, "left")).toBe("生产  ");
    expect(pad("7", 3, "right")).toBe("  7");
    expect(truncate("生产-上海", 6)).toBe("生产-…");
    expect(truncate("short", 5)).toBe("short");
  });

  test("lines break between words, a longer word stands alone", () => {
    expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrap("a https://very.long.example/path b", 8)).toEqual(["a", "https://very.long.example/path", "b"]);
  });
});
