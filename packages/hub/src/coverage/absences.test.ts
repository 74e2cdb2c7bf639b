import { describe, expect, it } from "vitest";
import { type AbsenceFacts, absencesOf } from "./absences.ts";

const MINUTE = 60_000;
const START = Date.UTC(2026, 2, 14, 9);
const at = (minute: number): number => START + minute * MINUTE;
const NOW = at(120);
const HEARD = { isHeard: true, lastBeatAtMs: null, unknownAfterMs: 2 * MINUTE, oldestSealedMs: null };
const change = (minute: number, fromState: string, toState: string) => ({ fromState, toState, atMs: at(minute) });

/** Minutes: from, to, reason. */
const spans = (facts: Partial<AbsenceFacts>) =>
  absencesOf({ mode: "push", heard: HEARD, changes: [], nowMs: NOW, ...facts }).map(({ fromMs, toMs, reason }) => [
    (Math.max(fromMs, START) - START) / MINUTE,
    (toMs - START) / MINUTE,
    reason,
  ]);

describe("why facts may be absent", () => {
  it.each<[string, Partial<AbsenceFacts>, readonly (readonly [number, number, string])[]]>([
    ["a cluster that is heard has the newest on their way", {}, [[110, 120, "pending"]]],
    [
      "and what its agent says that it holds, from a flush before that was sealed",
      { heard: { ...HEARD, oldestSealedMs: at(40) } },
      [[30, 120, "pending"]],
    ],
    [
      "a silence begins with the last beat, not when it was noticed, and ends with the next",
      { changes: [change(10, "late", "offline"), change(25, "offline", "online")] },
      [
        [8, 25, "agent_silent"],
        [110, 120, "pending"],
      ],
    ],
    [
      "being late is no silence",
      { changes: [change(10, "online", "late"), change(12, "late", "online")] },
      [[110, 120, "pending"]],
    ],
    [
      "one that is silent since before the window is silent from its start",
      { changes: [change(25, "offline", "online")] },
      [
        [0, 25, "agent_silent"],
        [110, 120, "pending"],
      ],
    ],
    [
      "one that is silent now has nothing on its way",
      { heard: { ...HEARD, isHeard: false }, changes: [change(100, "late", "offline")] },
      [[98, 120, "agent_silent"]],
    ],
    [
      "whose silence was noticed late, because the hub itself was stopped, is silent since its last beat",
      { heard: { ...HEARD, isHeard: false, lastBeatAtMs: at(40) }, changes: [change(100, "late", "offline")] },
      [[40, 120, "agent_silent"]],
    ],
    [
      "nor has one of which nothing was heard in the whole window",
      { heard: { ...HEARD, isHeard: false } },
      [[0, 120, "agent_silent"]],
    ],
    [
      "one that never came is silent until it comes",
      { changes: [change(30, "never-seen", "online")] },
      [
        [0, 30, "agent_silent"],
        [110, 120, "pending"],
      ],
    ],
    [
      "one that the hub reads itself could not be reached",
      { mode: "pull", heard: { ...HEARD, isHeard: false }, changes: [change(100, "late", "offline")] },
      [[98, 120, "cluster_unreachable"]],
    ],
    ["where nobody listens, only what is new is on its way", { heard: null }, [[110, 120, "pending"]]],
  ])("%s", (_, facts, expected) => {
    expect(spans(facts)).toEqual(expected);
  });
});
