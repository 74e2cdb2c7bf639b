import type { Clock } from "@plimsoll/collect";

/** A clock on which time passes `speed` times as fast, timers included, from `startMs`. */
export function createFastClock(startMs: number, speed: number): Clock {
  const begin = performance.now();
  return {
    now: () => startMs + (performance.now() - begin) * speed,
    setTimer(ms, fire) {
      const timer = setTimeout(fire, ms / speed);
      return () => clearTimeout(timer);
    },
  };
}
