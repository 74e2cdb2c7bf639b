import type { AgentPolicy } from "./policy/agent-policy.ts";
import type { Due } from "./tick.ts";

/** When what is due; times in milliseconds of one clock. */
export class TickSchedule {
  readonly #policy: () => AgentPolicy;
  #sampleAt: number;
  #flushAt: number;
  #reportAt: number;

  /** Everything is due at `nowMs`. */
  constructor(policy: () => AgentPolicy, nowMs: number) {
    this.#policy = policy;
    this.#sampleAt = nowMs;
    this.#flushAt = nowMs;
    this.#reportAt = nowMs;
  }

  /** Milliseconds until something is due. */
  waitMs(nowMs: number): number {
    return Math.max(0, Math.min(this.#sampleAt, this.#flushAt, this.#reportAt) - nowMs);
  }

  /** The report is due now. */
  reportNow(nowMs: number): void {
    this.#reportAt = Math.min(this.#reportAt, nowMs);
  }

  /** A policy came: what is due later than it allows comes earlier. */
  tighten(nowMs: number): void {
    const { sampleIntervalMs, usageFlushMs, reportIntervalMs } = this.#policy();
    this.#sampleAt = Math.min(this.#sampleAt, nowMs + sampleIntervalMs);
    this.#flushAt = Math.min(this.#flushAt, nowMs + usageFlushMs);
    this.#reportAt = Math.min(this.#reportAt, nowMs + reportIntervalMs);
  }

  /** What is due at `nowMs`; from now on it is due again after its interval. */
  take(nowMs: number): Due {
    const { sampleIntervalMs, usageFlushMs, reportIntervalMs } = this.#policy();
    const due = { sample: nowMs >= this.#sampleAt, flush: nowMs >= this.#flushAt, report: nowMs >= this.#reportAt };
    if (due.sample) this.#sampleAt = nowMs + sampleIntervalMs;
    if (due.flush) this.#flushAt = nowMs + usageFlushMs;
    // A report says what the sample found.
    if (due.report) this.#reportAt = nowMs + reportIntervalMs;
    return due;
  }
}
