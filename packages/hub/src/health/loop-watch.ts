import { monitorEventLoopDelay } from "node:perf_hooks";

/** How long the event loop may stand still before a hub is called dead, seconds. */
const STUCK_SECONDS = 10;

/** Watches whether the process still turns. */
export interface LoopWatch {
  /** Longest stand-still since the last question, seconds. */
  longestSeconds(): number;
  /** Throws when it stood still for too long. */
  check(): string;
  stop(): void;
}

/** Starts watching. */
export function watchLoop(): LoopWatch {
  const histogram = monitorEventLoopDelay({ resolution: 100 });
  histogram.enable();
  const longestSeconds = () => {
    const longest = histogram.max / 1e9;
    histogram.reset();
    return longest;
  };
  return {
    longestSeconds,
    check() {
      const longest = longestSeconds();
      if (longest > STUCK_SECONDS) throw new Error(`the event loop stood still for ${longest.toFixed(1)} s`);
      return `event loop turns, longest wait ${(longest * 1000).toFixed(0)} ms`;
    },
    stop: () => histogram.disable(),
  };
}
