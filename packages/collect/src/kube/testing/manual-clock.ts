import type { Clock } from "../clock.ts";

/** A clock for tests: time moves only when told. */
export interface ManualClock extends Clock {
  /** Lengths of the timers that were set, in order, milliseconds. */
  readonly timers: readonly number[];
  /** Moves time on and fires what is due. */
  advance(ms: number): void;
}

/**
 * A clock that stands still at `startMs`. Timers of at most `instantMs` fire by themselves at the next turn of the event
 * loop and move the time on: waits of a back-off pass at once, while longer deadlines and watchdogs wait for `advance`.
 */
export function createManualClock(startMs = Date.parse("2026-01-31T08:00:00Z"), instantMs = 0): ManualClock {
  let now = startMs;
  const due = new Map<symbol, { at: number; fire: () => void }>();
  const timers: number[] = [];
  const fireDue = () => {
    for (const [key, timer] of due) {
      if (timer.at > now) continue;
      due.delete(key);
      timer.fire();
    }
  };
  const advance = (ms: number) => {
    now += ms;
    fireDue();
  };
  return {
    timers,
    advance,
    now: () => now,
    setTimer(ms, fire) {
      const key = Symbol("timer");
      due.set(key, { at: now + ms, fire });
      timers.push(ms);
      if (ms <= instantMs) setImmediate(() => due.has(key) && advance(ms));
      return () => {
        due.delete(key);
      };
    },
  };
}
