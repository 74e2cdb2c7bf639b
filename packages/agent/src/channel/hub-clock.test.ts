import { expect, test } from "vitest";
import { createHubClock } from "./hub-clock.ts";

/** The hub's time, and an own clock that differs from it by `skewMs`. */
const HUB_MS = Date.UTC(2026, 2, 14, 9);
let passedMs = 0;
let skewMs = 0;
const own = { now: () => HUB_MS + passedMs + skewMs, setTimer: () => () => {} };

/** One beat and its answer: it takes this long there, and this long back. */
function beat(hubClock: ReturnType<typeof createHubClock>, thereMs: number, backMs: number, jumpMs = 0): void {
  const sentMs = own.now();
  passedMs += thereMs;
  const hubMs = HUB_MS + passedMs;
  passedMs += backMs;
  skewMs += jumpMs;
  hubClock.measure(sentMs, hubMs);
}

test.each([3_600_000, -3_600_000, 90_000, -90_000])(
  "after a jump of the own clock by %d ms the next answer tells hub time again",
  (jumpMs) => {
    [passedMs, skewMs] = [0, -20_000];
    const hubClock = createHubClock(own);
    for (let i = 0; i < 8; i += 1) beat(hubClock, 1, 1);
    expect(hubClock.offsetMs).toBe(20_000);
    skewMs += jumpMs;
    beat(hubClock, 30, 10);
    expect(Math.abs(hubClock.now() - (HUB_MS + passedMs))).toBeLessThanOrEqual(20);
  },
);

test("while the clock goes on evenly the measurement of the shortest round trip counts", () => {
  [passedMs, skewMs] = [0, 5_000];
  const hubClock = createHubClock(own);
  for (const [there, back] of [
    [300, 20],
    [2, 2],
    [10, 900],
  ] as const) {
    beat(hubClock, there, back);
  }
  expect(hubClock.offsetMs).toBe(-5_000);
});

test("a jump while an answer is on its way never makes hub time wrong by more than that round trip seems to take", () => {
  [passedMs, skewMs] = [0, 0];
  const hubClock = createHubClock(own);
  beat(hubClock, 5, 5, 60_000);
  expect(Math.abs(hubClock.now() - (HUB_MS + passedMs))).toBeLessThanOrEqual(hubClock.roundTripMs / 2);
  // Set back meanwhile: it says nothing, and the next one does.
  beat(hubClock, 5, 5, -60_000);
  beat(hubClock, 5, 5);
  expect(hubClock.now()).toBe(HUB_MS + passedMs);
});
