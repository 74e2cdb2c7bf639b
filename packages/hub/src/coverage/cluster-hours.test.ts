import { describe, expect, it } from "vitest";
import { type ClusterFacts, clusterCoverage, type ToldHour } from "./cluster-hours.ts";

const MINUTE = 60_000;
const START = Date.UTC(2026, 2, 14, 9);
const at = (minute: number): number => START + minute * MINUTE;
const told = (hour: number, upTo: number): ToldHour => ({
  hourStartMs: at(60 * hour),
  upToMs: at(upTo),
  billedMs: 0,
  unseenMs: 0,
});
const FACTS: ClusterFacts = {
  cluster: { isGone: false, registeredAtMs: 0 },
  window: { startMs: START, endMs: at(180) },
  expectedUpToMs: at(180),
  told: [],
  gaps: [],
  absences: [],
};

/** Minutes: start of the hour, covered, expected. */
const hours = (facts: Partial<ClusterFacts>) =>
  clusterCoverage({ ...FACTS, ...facts }).hours.map(({ hourStartMs, coverage }) => [
    (hourStartMs - START) / MINUTE,
    coverage.coveredMs / MINUTE,
    coverage.expectedMs / MINUTE,
  ]);

describe("the hours of a cluster", () => {
  it.each<[string, Partial<ClusterFacts>, readonly (readonly [number, number, number])[]]>([
    [
      "without facts are not covered, and expected all the same",
      { told: [told(1, 120)] },
      [
        [0, 0, 60],
        [60, 60, 60],
        [120, 0, 60],
      ],
    ],
    [
      "of before the registration are not expected",
      { cluster: { isGone: false, registeredAtMs: at(90) }, told: [told(1, 120), told(2, 180)] },
      [
        [60, 30, 30],
        [120, 60, 60],
      ],
    ],
    [
      "of before it that have facts all the same count as far as those go",
      { cluster: { isGone: false, registeredAtMs: at(120) }, told: [told(0, 30), told(2, 180)] },
      [
        [0, 30, 30],
        [120, 60, 60],
      ],
    ],
    [
      "end now",
      { window: { startMs: START, endMs: at(80) }, expectedUpToMs: at(80), told: [told(0, 60), told(1, 75)] },
      [
        [0, 60, 60],
        [60, 15, 20],
      ],
    ],
    [
      "end with the last facts of a tombstone, and a hole before them is a hole",
      { cluster: { isGone: true, registeredAtMs: 0 }, told: [told(0, 50), told(2, 140)] },
      [
        [0, 50, 60],
        [60, 0, 60],
        [120, 20, 20],
      ],
    ],
    ["are none of a tombstone without facts", { cluster: { isGone: true, registeredAtMs: 0 } }, []],
  ])("%s", (_, facts, expected) => {
    expect(hours(facts)).toEqual(expected);
  });

  it("are, together, the cluster's coverage", () => {
    const { total } = clusterCoverage({ ...FACTS, told: [told(0, 60), told(1, 90)] });
    expect(total).toEqual({
      coveredMs: 90 * MINUTE,
      expectedMs: 180 * MINUTE,
      lost: new Map([["facts_missing", 90 * MINUTE]]),
    });
  });
});
