/**
 * Time and timers as an argument, so that back-off, deadlines and watchdogs are tested without waiting. `now` is
 * milliseconds since 1970 UTC. `setTimer` calls `fire` once after `ms` milliseconds and returns its cancel function;
 * cancelling twice, or after it fired, does nothing.
 */
export interface Clock {
  now(): number;
  setTimer(ms: number, fire: () => void): () => void;
}

/** A uniform random number in [0, 1): jitter only, never secrets. */
export type Random = () => number;

/** The machine's clock. Its timers do not keep a finished process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(ms, fire) {
    const timer = setTimeout(fire, ms);
    return () => clearTimeout(timer);
  },
};

/** RFC 3339 UTC text of the clock's present, in whole seconds or milliseconds as needed. */
export function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** Waits `ms` by `clock`; rejects with the signal's reason when it aborts first. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.setTimer(ms, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
