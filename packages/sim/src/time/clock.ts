/**
 * The machine's time as an argument. `now` is milliseconds since 1970 UTC; `setTimer` calls `fire` once after `ms`
 * milliseconds and returns its cancel function.
 */
export interface SimulatorClock {
  now(): number;
  setTimer(ms: number, fire: () => void): () => void;
}

/** The real clock. Its timers do not keep a finished process alive. */
export const realClock: SimulatorClock = {
  now: () => Date.now(),
  setTimer(ms, fire) {
    const timer = setTimeout(fire, ms).unref();
    return () => clearTimeout(timer);
  },
};
