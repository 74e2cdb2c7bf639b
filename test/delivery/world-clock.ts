import type { Clock } from "@plimsoll/collect";

/** Timers (back-off, deadlines, beats) run this much faster than they say, so that a round is seconds. */
export const TIMER_SPEED = 10;

/** A clock that is set from outside; its timers are the machine's, `speed` times as fast. */
export interface WorldClock extends Clock {
  /** From now on it is this far from the machine's clock, milliseconds. */
  offsetMs: number;
}

export function createWorldClock(offsetMs: number, speed = 1): WorldClock {
  return {
    offsetMs,
    now() {
      return Date.now() + this.offsetMs;
    },
    setTimer(ms, fire) {
      const timer = setTimeout(fire, ms / speed);
      return () => clearTimeout(timer);
    },
  };
}
