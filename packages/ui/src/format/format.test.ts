import { describe, expect, it } from "vitest";
import { en } from "../i18n/en.ts";
import { zhCN } from "../i18n/zh-cn.ts";
import { ageSeconds, isStale } from "./age.ts";
import { createFormatter } from "./formatter.ts";
import { cutPercent, formatShare, perMonth, sharePercent } from "./money.ts";
import { formatPercent, percentOf } from "./percent.ts";
import { bandOf } from "./watermark-band.ts";

const english = createFormatter("en-US", en.units);
const chinese = createFormatter("zh-CN", zhCN.units);

describe("quantities", () => {
  it.each([
    ["millicores", "62500", "62.5 cores", "62.5 核"],
    ["millicores", "1000", "1 core", "1 核"],
    ["millicores", "40", "40 millicores", "40 毫核"],
    ["millicores", "0", "0 cores", "0 核"],
    ["bytes", "76772540416", "71.5 GiB", "71.5 GiB"],
    ["bytes", "512", "512 bytes", "512 字节"],
    ["bytes", "9007199254740993", "8 PiB", "8 PiB"],
    ["count", "12345", "12,345", "12,345"],
  ] as const)("%s %s reads %s, and %s in Chinese", (unit, value, inEnglish, inChinese) => {
    expect(english.quantity(unit, value)).toBe(inEnglish);
    expect(chinese.quantity(unit, value)).toBe(inChinese);
  });

  it("unknown is a dash, never 0", () => {
    expect(english.quantity("bytes", null)).toBe("–");
    expect(english.count(null)).toBe("–");
    expect(english.amount(undefined)).toBe("–");
  });

  it("the exact form keeps every digit beyond 2^53", () => {
    expect(english.exactQuantity("bytes", "9007199254740993")).toBe("9,007,199,254,740,993 bytes");
    expect(english.count("9007199254740993")).toBe("9,007,199,254,740,993");
  });
});

describe("money", () => {
  it.each([
    ["4.8733", "USD 4.87"],
    ["0.4", "USD 0.4000"],
    ["0", "USD 0.0000"],
    ["0.000001", "USD <0.0001"],
    ["1234567.891", "USD 1,234,568"],
    ["-12.5", "USD -12.50"],
  ])("%s reads %s", (amount, text) => {
    expect(english.price("USD", amount)).toBe(text);
  });

  it("9,007,199.254740993 comes out digit for digit", () => {
    expect(english.amount("9007199.254740993", 9)).toBe("9,007,199.254740993");
  });

  it("a month is 730 hours, exactly", () => {
    expect(perMonth("0.000000001")).toBe("0.00000073");
    expect(perMonth("12,5")).toBeNull();
  });

  it("shares are cut, and there is none of nothing", () => {
    expect(sharePercent("1", "3")).toBe(33.3);
    expect(sharePercent("1", "0")).toBeNull();
    expect([0, 0.4, 45.9].map(cutPercent)).toEqual(["0%", "<1%", "45%"]);
    expect(formatShare(45)).toBe("45.0%");
  });
});

describe("percent and bands", () => {
  it.each([
    ["899", "1000", 89, "high"],
    ["900", "1000", 90, "critical"],
    ["0", "1000", 0, "idle"],
    ["200", "1000", 20, "low"],
    ["400", "1000", 40, "good"],
    ["1500", "1000", 150, "critical"],
  ] as const)("%s of %s is %i %%, %s", (part, whole, percent, band) => {
    expect(percentOf(part, whole)).toBe(percent);
    expect(bandOf(percent)).toBe(band);
  });

  it("an unknown part, or no whole, is unknown", () => {
    expect(formatPercent(null, "1000")).toBe("–");
    expect(formatPercent("5", "0")).toBe("–");
    expect(bandOf(null)).toBeNull();
  });

  it("more than nothing is never shown as 0%", () => {
    expect(formatPercent("1", "1000")).toBe("<1%");
    expect(formatPercent("0", "1000")).toBe("0%");
  });
});

describe("ages", () => {
  it.each([
    [0, "0 s", "0 秒"],
    [119, "119 s", "119 秒"],
    [300, "5 min", "5 分钟"],
    [7200, "2 h", "2 小时"],
    [200_000, "2 d", "2 天"],
  ])("%i seconds read %s", (seconds, inEnglish, inChinese) => {
    expect(english.age(seconds)).toBe(inEnglish);
    expect(chinese.age(seconds)).toBe(inChinese);
  });

  it("counts from the given now, and is never negative", () => {
    expect(ageSeconds("2026-11-30T12:00:00Z", Date.parse("2026-11-30T12:00:09.900Z"))).toBe(9);
    expect(ageSeconds("2026-11-30T12:00:00Z", Date.parse("2026-11-30T11:00:00Z"))).toBe(0);
    expect(ageSeconds(null, 0)).toBeNull();
  });

  it("is stale after two intervals, and when the age is unknown", () => {
    expect(isStale(120, 30)).toBe(false);
    expect(isStale(121, 30)).toBe(true);
    expect(isStale(500, 300)).toBe(false);
    expect(isStale(null, 30)).toBe(true);
  });
});
