/** Lets at most a fixed number of tasks run at once; the others wait in order of arrival. */
export type Limiter = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** A limiter of `max` tasks. A task whose signal aborts while it waits never starts and rejects with the reason. */
export function createLimiter(max: number): Limiter {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task, signal) => {
    if (running < max) running += 1;
    else await turn(waiting, signal);
    try {
      signal?.throwIfAborted();
      return await task();
    } finally {
      // A slot goes straight to the next in line, so that nobody slips in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

function turn(waiting: (() => void)[], signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      waiting.splice(waiting.indexOf(start), 1);
      reject(signal?.reason);
    };
    const start = () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    };
    if (signal?.aborted) return reject(signal.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    waiting.push(start);
  });
}
