import { PlimsollError } from "@plimsoll/contracts";
import type { Clock } from "./clock.ts";

/** A deadline and an outer signal made one signal. `settle` frees timer and listener; call it in every case. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Milliseconds until it ends; never negative. */
  remainingMs(): number;
  /** Stops the timer, the outer signal still ends it: for streams whose head is there. */
  stopTimer(): void;
  settle(): void;
  /** Ends it now with `reason`. */
  abort(reason: unknown): void;
}

/** Is this abort reason the end of a deadline, and not somebody's wish to stop? */
export function isTimeout(reason: unknown): boolean {
  return reason instanceof PlimsollError && reason.code === "cluster_timeout";
}

/** A deadline of `ms` by `clock`; when it ends, the signal's reason is `expired()`, or the outer signal's reason. */
export function createDeadline(
  clock: Clock,
  ms: number,
  outer: AbortSignal | undefined,
  expired: () => unknown,
): Deadline {
  const controller = new AbortController();
  const endsAt = clock.now() + ms;
  const onOuter = () => controller.abort(outer?.reason);
  const stopTimer = clock.setTimer(ms, () => controller.abort(expired()));
  if (outer?.aborted) onOuter();
  else outer?.addEventListener("abort", onOuter, { once: true });
  return {
    signal: controller.signal,
    remainingMs: () => Math.max(0, endsAt - clock.now()),
    stopTimer,
    settle() {
      stopTimer();
      outer?.removeEventListener("abort", onOuter);
    },
    abort: (reason) => controller.abort(reason),
  };
}
