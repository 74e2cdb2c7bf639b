import type { Clock } from "@plimsoll/collect";
import { reportError } from "@plimsoll/contracts";
import type { HubLog } from "../log/hub-log.ts";
import type { Store } from "../store/store.ts";
import { type AuditedChange, type ChangeBy, writeRefusal } from "./audit.ts";

/** Rows that strangers may cause: a second's share, and how many may be saved up. */
const STRANGER_ROWS_PER_SECOND = 1;
const STRANGER_BURST = 60;

/**
 * Keeps refused and failed attempts in the audit log. Those of somebody who is known are all kept; strangers could fill the
 * disk by asking, so of theirs only so many a second are, and the rest is counted.
 */
export class AuditBudget {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: HubLog;
  #left = STRANGER_BURST;
  #filledAtMs: number;
  #leftOut = 0;

  constructor(store: Store, clock: Clock, log: HubLog) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#filledAtMs = clock.now();
  }

  /** Attempts of strangers that found no room. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** Never rejects: an attempt that failed is answered as what it was. */
  async keep(by: ChangeBy, change: AuditedChange, error: unknown): Promise<void> {
    if (by.actor.kind === "anonymous" && !this.#take()) {
      this.#leftOut += 1;
      return;
    }
    try {
      await this.#store.write((trx) => writeRefusal(trx, by, change, error, this.#clock.now()));
    } catch (fault) {
      this.#log("error", "audit_not_stored", { ...reportError(fault) });
    }
  }

  #take(): boolean {
    const now = this.#clock.now();
    const gained = Math.floor(((now - this.#filledAtMs) / 1000) * STRANGER_ROWS_PER_SECOND);
    if (gained > 0) {
      this.#left = Math.min(STRANGER_BURST, this.#left + gained);
      this.#filledAtMs = now;
    }
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}
