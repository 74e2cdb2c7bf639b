import { GAP_REASONS } from "@plimsoll/contracts/wire";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type CoverageFacts, coverTime, type ReasonedSpan } from "./cover-time.ts";
import { coverageFraction, lostFractions, NOTHING_EXPECTED, sumCoverages } from "./coverage.ts";
import { LOSS_REASONS } from "./loss-reasons.ts";

const MINUTE = 60_000;
const HOUR = Date.UTC(2026, 2, 14, 9);
const at = (minute: number): number => HOUR + minute * MINUTE;
const span = (from: number, to: number, reason = "agent_down"): ReasonedSpan => ({
  fromMs: at(from),
  toMs: at(to),
  reason,
});
const FULL: CoverageFacts = {
  expected: { fromMs: HOUR, toMs: at(60) },
  toldUpToMs: at(60),
  gaps: [],
  absences: [],
  pods: { billedMs: 0, unseenMs: 0 },
};

/** Minutes: covered, expected, lost by reason. */
const inMinutes = (facts: CoverageFacts) => {
  const { coveredMs, expectedMs, lost } = coverTime(facts);
  const minutes = Object.fromEntries([...lost].map(([reason, ms]) => [reason, ms / MINUTE]));
  return [coveredMs / MINUTE, expectedMs / MINUTE, minutes];
};

describe("the coverage of an hour", () => {
  it.each<[string, Partial<CoverageFacts>, number, number, Record<string, number>]>([
    ["is whole when facts run to its end", {}, 60, 60, {}],
    ["is nothing where nothing is expected", { expected: null, gaps: [span(0, 60)] }, 0, 0, {}],
    ["is of the expected part alone", { expected: { fromMs: at(45), toMs: at(60) } }, 15, 15, {}],
    ["ends with the newest fact", { toldUpToMs: at(20) }, 20, 60, { facts_missing: 40 }],
    [
      "says why the rest is absent, as far as that is known",
      { toldUpToMs: at(20), absences: [span(15, 40, "agent_silent"), span(55, 99, "pending")] },
      20,
      60,
      { agent_silent: 20, pending: 5, facts_missing: 15 },
    ],
    ["takes nothing away for a silence whose facts came", { absences: [span(10, 50, "agent_silent")] }, 60, 60, {}],
    [
      "prefers what a gap record says of absent time",
      { toldUpToMs: at(20), gaps: [span(20, 60)], absences: [span(0, 60, "agent_silent")] },
      20,
      60,
      { agent_down: 40 },
    ],
    [
      "believes a gap record of a later release more than what the hub finds by itself",
      { toldUpToMs: at(20), gaps: [span(30, 60, "of_a_later_release")], absences: [span(0, 60, "pending")] },
      20,
      60,
      { of_a_later_release: 30, pending: 10 },
    ],
    ["lacks a gap", { gaps: [span(10, 20)] }, 50, 60, { agent_down: 10 }],
    ["lacks gaps that overlap once", { gaps: [span(15, 30), span(10, 20), span(12, 14)] }, 40, 60, { agent_down: 20 }],
    [
      "gives time of two reasons to the one that says most",
      { gaps: [span(10, 30, "watch_lost"), span(20, 40, "spool_corrupt"), span(15, 45, "of_a_later_release")] },
      25,
      60,
      { spool_corrupt: 20, watch_lost: 10, of_a_later_release: 5 },
    ],
    ["lacks only the part of a gap inside it", { gaps: [span(-600, 6), span(58, 6000)] }, 52, 60, { agent_down: 8 }],
    ["is the seen share of its pods' time", { pods: { billedMs: 30, unseenMs: 10 } }, 45, 60, { unseen_pods: 15 }],
    [
      "counts a loss once that is a gap and unseen time both",
      { gaps: [span(0, 10)], pods: { billedMs: 30, unseenMs: 10 } },
      45,
      60,
      { agent_down: 10, unseen_pods: 5 },
    ],
    [
      "asks of pods only what is told",
      { toldUpToMs: at(20), pods: { billedMs: 30, unseenMs: 30 } },
      10,
      60,
      { unseen_pods: 10, facts_missing: 40 },
    ],
    ["is nothing where only gaps are", { gaps: [span(-5, 65)] }, 0, 60, { agent_down: 60 }],
  ])("%s", (_, facts, covered, expected, lost) => {
    expect(inMinutes({ ...FULL, ...facts })).toEqual([covered, expected, lost]);
  });

  it("is exact for pods whose time is beyond what floats hold", () => {
    const billedMs = 2 ** 53 - 1;
    expect(coverTime({ ...FULL, pods: { billedMs, unseenMs: 1 } }).lost).toEqual(new Map([["unseen_pods", 1]]));
  });
});

test("every reason that a gap record has is known", () => {
  expect(GAP_REASONS.filter((reason) => !LOSS_REASONS.some((known) => known === reason))).toEqual([]);
});

describe("coverages together", () => {
  it("are sums, and a fraction only at the end", () => {
    const half = coverTime({ ...FULL, gaps: [span(0, 30)] });
    const whole = coverTime({ ...FULL, gaps: [span(0, 6), span(6, 12, "pending")] });
    const sum = sumCoverages([half, whole, NOTHING_EXPECTED]);
    expect(sum).toEqual({
      coveredMs: 78 * MINUTE,
      expectedMs: 120 * MINUTE,
      lost: new Map([
        ["agent_down", 36 * MINUTE],
        ["pending", 6 * MINUTE],
      ]),
    });
    expect(coverageFraction(sum)).toBe(0.65);
    expect(lostFractions(sum)).toEqual([
      { reason: "agent_down", lostMs: 36 * MINUTE, fraction: 0.3 },
      { reason: "pending", lostMs: 6 * MINUTE, fraction: 0.05 },
    ]);
  });

  it("never seem whole when they are not, nor empty of a reason that they have", () => {
    const expectedMs = 400 * 24 * 3_600_000 * 500;
    const almost = { coveredMs: expectedMs - 1, expectedMs, lost: new Map([["agent_down", 1]]) };
    expect(coverageFraction(almost)).toBe(0.999999);
    expect(lostFractions(almost)).toEqual([{ reason: "agent_down", lostMs: 1, fraction: 0.000001 }]);
    expect(coverageFraction(NOTHING_EXPECTED)).toBeNull();
  });
});

const anySpan = fc.record({
  fromMs: fc.integer({ min: at(-90), max: at(90) }),
  toMs: fc.integer({ min: at(-90), max: at(90) }),
  reason: fc.constantFrom("agent_down", "watch_lost", "spool_full", "pending", "agent_silent", "unheard_of"),
});
const anyFacts: fc.Arbitrary<CoverageFacts> = fc.record({
  expected: fc.option(fc.record({ fromMs: fc.constant(HOUR), toMs: fc.integer({ min: at(-1), max: at(60) }) })),
  toldUpToMs: fc.integer({ min: at(-10), max: at(70) }),
  gaps: fc.array(anySpan, { maxLength: 12 }),
  absences: fc.array(anySpan, { maxLength: 6 }),
  pods: fc.record({ billedMs: fc.nat(10_000_000), unseenMs: fc.nat(10_000_000) }),
});

describe("whatever happened in an hour", () => {
  test("covered and lost time add up to what was expected, and coverage is within 0–1", () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const coverage = coverTime(facts);
        const lost = [...coverage.lost.values()];
        expect(coverage.coveredMs + lost.reduce((sum, ms) => sum + ms, 0)).toBe(coverage.expectedMs);
        expect(coverage.coveredMs).toBeGreaterThanOrEqual(0);
        expect(lost.every((ms) => ms > 0 && Number.isInteger(ms))).toBe(true);
        const fraction = coverageFraction(coverage);
        expect(fraction === null || (fraction >= 0 && fraction <= 1)).toBe(true);
        expect(fraction === 1).toBe(coverage.expectedMs > 0 && lost.length === 0);
      }),
    );
  });

  test("one gap more never raises the coverage, and one absence more never changes it", () => {
    fc.assert(
      fc.property(anyFacts, anySpan, (facts, more) => {
        const { coveredMs, expectedMs } = coverTime(facts);
        const gapped = coverTime({ ...facts, gaps: [...facts.gaps, more] });
        expect(gapped.coveredMs).toBeLessThanOrEqual(coveredMs);
        expect(gapped.expectedMs).toBe(expectedMs);
        expect(coverTime({ ...facts, absences: [...facts.absences, more] }).coveredMs).toBe(coveredMs);
      }),
    );
  });

  test("a gap told in parts, twice or in another order is the same gap", () => {
    fc.assert(
      fc.property(anyFacts, anySpan, fc.integer({ min: at(-90), max: at(90) }), (facts, gap, cutMs) => {
        const whole = coverTime({ ...facts, gaps: [...facts.gaps, gap] });
        const cut = Math.min(Math.max(cutMs, gap.fromMs), Math.max(gap.toMs, gap.fromMs));
        const parts = [{ ...gap, fromMs: cut }, { ...gap, toMs: cut }, ...facts.gaps.toReversed(), ...facts.gaps];
        expect(coverTime({ ...facts, gaps: parts })).toEqual(whole);
      }),
    );
  });
});
