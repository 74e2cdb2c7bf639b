import type { HealthStatus } from "@plimsoll/contracts";
import { describe, expect, test } from "vitest";
import {
  beatWindows,
  type ConnectivityState,
  judgeSilence,
  type SettledHealth,
  SUSTAINED_MS,
  settleHealth,
} from "./liveness-rules.ts";

const S = 1_000;
const WINDOWS = beatWindows(30 * S, 4);

describe("silence is judged by the hub's clock", () => {
  test.each<[string, ConnectivityState, number, number, ConnectivityState, number | null]>([
    // was, last beat, now (seconds), becomes, judged again at
    ["a beat just came", "online", 100, 100, "online", 160],
    ["one beat missed", "online", 100, 159.999, "online", 160],
    ["two beats missed", "online", 100, 160, "late", 220],
    ["three beats missed", "late", 100, 219.999, "late", 220],
    ["four beats missed", "late", 100, 220, "offline", null],
    ["an expiry that was judged very late", "online", 100, 900, "offline", null],
    ["offline stays until a beat", "offline", 100, 101, "offline", null],
  ])("%s: %s, last %d, now %d → %s", (_, state, last, now, expected, due) => {
    const heard = { state, lastBeatAtMs: last * S, listeningSinceMs: 0 };
    expect(judgeSilence(heard, WINDOWS, now * S)).toEqual({ state: expected, dueAtMs: due === null ? null : due * S });
  });

  test("a cluster that was never seen is not late", () => {
    const heard = { state: "never-seen", lastBeatAtMs: null, listeningSinceMs: 0 } as const;
    expect(judgeSilence(heard, WINDOWS, 10_000 * S)).toEqual({ state: "never-seen", dueAtMs: null });
  });
});

describe("a hub that was away gives a window of grace", () => {
  // Last beat at 100 s, the hub came back at 1,000 s.
  test.each<[ConnectivityState, number, ConnectivityState]>([
    ["online", 1_000, "online"],
    ["online", 1_059, "online"],
    ["online", 1_060, "late"],
    ["online", 1_119, "late"],
    ["online", 1_120, "offline"],
    ["late", 1_000, "late"],
    ["late", 1_119, "late"],
    ["late", 1_120, "offline"],
    ["offline", 1_000, "offline"],
  ])("%s before, at %d s → %s", (state, now, expected) => {
    const heard = { state, lastBeatAtMs: 100 * S, listeningSinceMs: 1_000 * S };
    expect(judgeSilence(heard, WINDOWS, now * S).state).toBe(expected);
  });
});

test.each([
  [30 * S, 4, 60 * S, 120 * S],
  [30 * S, 3, 60 * S, 90 * S],
  [30 * S, 1, 60 * S, 90 * S],
  [10 * S, 6, 20 * S, 60 * S],
])("a beat of %d ms and %d missed ones: late after %d, unknown after %d", (beat, missed, late, unknown) => {
  expect(beatWindows(beat, missed)).toEqual({ beatMs: beat, lateAfterMs: late, unknownAfterMs: unknown });
});

test("who has waited already is taken at its word", () => {
  const held = { status: "healthy", sinceMs: 0, pending: null } as const;
  expect(settleHealth(held, "unhealthy", 5 * S, 0)).toEqual({ status: "unhealthy", sinceMs: 5 * S, pending: null });
});

describe("health", () => {
  const run = (reports: readonly (readonly [number, HealthStatus])[]) =>
    reports.reduce<SettledHealth | null>(
      (held, [at, status]) => settleHealth(held, status, at * S, SUSTAINED_MS),
      null,
    );

  test.each<[string, readonly (readonly [number, HealthStatus])[], HealthStatus, number]>([
    ["the first report counts at once", [[0, "unhealthy"]], "unhealthy", 0],
    [
      "one failed probe is no outage",
      [
        [0, "healthy"],
        [10, "unhealthy"],
        [20, "healthy"],
      ],
      "healthy",
      0,
    ],
    [
      "29 s of failure are no outage",
      [
        [0, "healthy"],
        [10, "unhealthy"],
        [39, "unhealthy"],
      ],
      "healthy",
      0,
    ],
    [
      "30 s of failure are",
      [
        [0, "healthy"],
        [10, "unhealthy"],
        [40, "unhealthy"],
      ],
      "unhealthy",
      40,
    ],
    [
      "a success in between begins anew",
      [
        [0, "healthy"],
        [10, "unhealthy"],
        [30, "healthy"],
        [35, "unhealthy"],
        [60, "unhealthy"],
      ],
      "healthy",
      0,
    ],
    [
      "unhealthy ends after 30 s of success",
      [
        [0, "unhealthy"],
        [10, "healthy"],
        [40, "healthy"],
      ],
      "healthy",
      40,
    ],
    [
      "of either kind",
      [
        [0, "unhealthy"],
        [10, "degraded"],
        [25, "healthy"],
        [40, "degraded"],
      ],
      "degraded",
      40,
    ],
    [
      "degraded counts at once",
      [
        [0, "healthy"],
        [10, "degraded"],
      ],
      "degraded",
      10,
    ],
    [
      "and ends at once",
      [
        [0, "degraded"],
        [10, "healthy"],
      ],
      "healthy",
      10,
    ],
  ])("%s", (_, reports, status, since) => {
    expect(run(reports)).toMatchObject({ status, sinceMs: since * S });
  });
});
