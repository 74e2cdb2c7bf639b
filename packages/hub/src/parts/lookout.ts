import type { Clock } from "@plimsoll/collect";
import { reportError } from "@plimsoll/contracts";
import type { Closers } from "../config/closers.ts";
import type { HubDeps } from "../config/hub-config.ts";

/** How often the store is asked for what the other process of this hub has changed there, milliseconds. */
const LOOK_EVERY_MS = 1_000;
/** What is known is too old to serve by, milliseconds. */
const STALE_MS = 30_000;

/** Looks again and again at what another process changes in the store. */
export class Lookout {
  readonly #clock: Clock;
  readonly #look: () => Promise<void>;
  readonly #failed: (error: unknown) => void;
  #seenAtMs: number;
  #turning: Promise<void> = Promise.resolve();
  #cancel: () => void = () => {};
  #stopped = false;

  private constructor(clock: Clock, look: () => Promise<void>, failed: (error: unknown) => void) {
    this.#clock = clock;
    this.#look = look;
    this.#failed = failed;
    this.#seenAtMs = clock.now();
  }

  /** The first look is over when it resolves; rejects when that failed. Later ones are tried again. */
  static async start({ clock, log }: HubDeps, look: () => Promise<void>, closers: Closers): Promise<Lookout> {
    const noted = (error: unknown) => log("error", "lookout_failed", { ...reportError(error) });
    const lookout = new Lookout(clock, look, noted);
    await look();
    lookout.#later();
    closers.add("lookout", () => lookout.#stop());
    return lookout;
  }

  /** How old what it knows is, for people. Throws when it is too old. */
  check(): string {
    const ageMs = this.#clock.now() - this.#seenAtMs;
    if (ageMs > STALE_MS) throw new Error(`the store was last read ${Math.round(ageMs / 1000)} s ago`);
    return `read ${Math.round(ageMs / 1000)} s ago`;
  }

  #later(): void {
    if (this.#stopped) return;
    this.#cancel = this.#clock.setTimer(LOOK_EVERY_MS, () => {
      this.#turning = this.#turn();
    });
  }

  async #turn(): Promise<void> {
    try {
      await this.#look();
      this.#seenAtMs = this.#clock.now();
    } catch (error) {
      this.#failed(error);
    }
    this.#later();
  }

  async #stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#turning;
  }
}
