import { describe, expect, it } from "vitest";
import { gapRow, HOUR, HOUR_MS } from "../../../../test/hub/facts.ts";
import { type CoverageFacts, hourCoverage } from "./hour-coverage.ts";

const MINUTE = 60_000;
const FULL: CoverageFacts = {
  hourStartMs: HOUR,
  upToMs: HOUR + HOUR_MS,
  registeredAtMs: 0,
  gaps: [],
  billedMs: 0,
  unseenMs: 0,
};
const gap = (from: number, to: number, change = {}) =>
  gapRow({ startMs: HOUR + from * MINUTE, endMs: HOUR + to * MINUTE, ...change });

describe("the coverage of an hour", () => {
  it.each<[string, Partial<CoverageFacts>, number, number]>([
    ["is whole when facts run to its end", {}, 60, 60],
    ["ends with the newest fact", { upToMs: HOUR + 20 * MINUTE }, 20, 60],
    ["begins with the registration", { registeredAtMs: HOUR + 45 * MINUTE }, 15, 15],
    [
      "counts facts of before the registration",
      { registeredAtMs: HOUR + 2 * HOUR_MS, upToMs: HOUR + 30 * MINUTE },
      0,
      30,
    ],
    ["lacks a gap", { gaps: [gap(10, 20)] }, 50, 60],
    ["lacks gaps that overlap once", { gaps: [gap(15, 30), gap(10, 20), gap(12, 14)] }, 40, 60],
    ["lacks only the part of a gap inside it", { gaps: [gap(-600, 6), gap(58, 6000)] }, 52, 60],
    [
      "lacks an open gap up to where it was last seen",
      { gaps: [gap(0, 0, { endMs: null, asOfMs: HOUR + 5 * MINUTE })] },
      55,
      60,
    ],
    [
      "does not lack what is missing of samples, or of a part of the cluster",
      { gaps: [gap(0, 9, { missing: "sample" }), gap(0, 9, { subject: "shop" })] },
      60,
      60,
    ],
    ["is the seen share of its pods' time", { billedMs: 30, unseenMs: 10 }, 45, 60],
    [
      "counts a loss once that is a gap and unseen time both",
      { gaps: [gap(0, 15)], billedMs: 30, unseenMs: 10 },
      45,
      60,
    ],
    ["is nothing where only gaps are", { gaps: [gap(-5, 65)] }, 0, 60],
  ])("%s", (_, facts, covered, expected) => {
    expect(hourCoverage({ ...FULL, ...facts })).toEqual({ coveredMs: covered * MINUTE, expectedMs: expected * MINUTE });
  });
});
