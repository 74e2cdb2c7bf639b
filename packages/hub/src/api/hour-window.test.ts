import { describe, expect, it } from "vitest";
import { parseHourWindow } from "./hour-window.ts";

/** A Wednesday. */
const NOW = Date.UTC(2026, 2, 11, 9, 41, 7);
const at = (text: string): number => Date.parse(text);

describe("a window", () => {
  it.each([
    ["1h", "2026-03-11T09:00:00Z", NOW],
    ["24h", "2026-03-10T10:00:00Z", NOW],
    ["7d", "2026-03-04T10:00:00Z", NOW],
    ["today", "2026-03-11T00:00:00Z", NOW],
    ["yesterday", "2026-03-10T00:00:00Z", at("2026-03-11T00:00:00Z")],
    ["week", "2026-03-09T00:00:00Z", NOW],
    ["lastweek", "2026-03-02T00:00:00Z", at("2026-03-09T00:00:00Z")],
    ["month", "2026-03-01T00:00:00Z", NOW],
    ["lastmonth", "2026-02-01T00:00:00Z", at("2026-03-01T00:00:00Z")],
    ["2026-03-01T00:00:00Z,2026-03-02T00:00:00Z", "2026-03-01T00:00:00Z", at("2026-03-02T00:00:00Z")],
    ["2026-03-01T05:30:00+05:30,2026-03-02T00:00Z", "2026-03-01T00:00:00Z", at("2026-03-02T00:00:00Z")],
    ["2026-03-11T00:00:00Z,2026-12-31T00:00:00Z", "2026-03-11T00:00:00Z", NOW],
  ])("%s is from %s", (text, start, endMs) => {
    expect(parseHourWindow(text, NOW)).toEqual({ startMs: at(start), endMs });
  });

  it.each(
    [
      ["", "0h", "24", "24m", "-1h", "1e3h", "99999d", "tomorrow", "24h,", "__proto__"],
      [
        "2026-03-01T00:00:00Z",
        "2026-03-02T00:00:00Z,2026-03-01T00:00:00Z",
        "2026-03-01T00:00:00Z,2026-03-01T00:00:00Z",
      ],
      ["2026-03-01T00:30:00Z,2026-03-02T00:00:00Z", "2026-03-01T00:00:00Z,2026-03-02T00:00:01Z"],
      [
        "2026-13-01T00:00:00Z,2026-14-02T00:00:00Z",
        "2026-03-01,2026-03-02",
        "2030-01-01T00:00:00Z,2030-01-02T00:00:00Z",
      ],
      ["2026-03-01T00:00:00Z,2026-03-02T00:00:00Z,2026-03-03T00:00:00Z", "1999-01-01T00:00:00Z,2026-01-01T00:00:00Z"],
    ].flat(),
  )("%s is refused by name", (text) => {
    expect(() => parseHourWindow(text, NOW)).toThrow(
      expect.objectContaining({ code: "parameter_invalid", fields: expect.objectContaining({ field: "window" }) }),
    );
  });
});
