import type { Clock, Random } from "@plimsoll/collect";
import { backOffMs, sleep } from "@plimsoll/collect";
import { PlimsollError, reportError } from "@plimsoll/contracts";
import type { AgentLog } from "../log/agent-log.ts";

/** Full jitter: 500 agents that start together do not join together. */
const BACK_OFF = { baseMs: 1_000, capMs: 60_000 };

/**
 * Does `work` until it succeeds; waits between attempts. A fault that is not retryable, one that is no `PlimsollError`, and
 * the signal's reason end it.
 */
export async function untilItWorks<T>(
  needs: { readonly clock: Clock; readonly random: Random; readonly log: AgentLog; readonly signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { clock, random, log, signal } = needs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work(signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PlimsollError) || !error.retryable) throw error;
      const { code, message } = reportError(error);
      // One line for each kind of fault, not for each attempt.
      if (attempt === 0) log("warn", "join_delayed", { code, message });
      await sleep(clock, backOffMs(attempt, BACK_OFF, random), signal);
    }
  }
}
