import { type Clock, sleep } from "@plimsoll/collect";

/** Lets so many through a second, after a burst; who comes faster waits. */
export class Pace {
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #burstMs: number;
  #freeAtMs: number;

  constructor(clock: Clock, perSecond: number, burst: number) {
    this.#clock = clock;
    this.#everyMs = 1000 / perSecond;
    this.#burstMs = this.#everyMs * burst;
    this.#freeAtMs = clock.now() - this.#burstMs;
  }

  /** Resolves when the next one may go; rejects with the signal's reason when it aborts first. */
  async turn(signal?: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    this.#freeAtMs = Math.max(this.#freeAtMs, now - this.#burstMs) + this.#everyMs;
    const waitMs = this.#freeAtMs - now;
    if (waitMs <= 0) return;
    await sleep(this.#clock, waitMs, signal);
  }
}
