import { PlimsollError } from "@plimsoll/contracts";

/** Faults of single objects: each is told once, and the rest goes on. */
export class FaultLog {
  readonly #known = new Map<string, string>();
  #fresh: PlimsollError[] = [];
  #total = 0;

  /** Runs `read`; a `PlimsollError` is kept as a fault of `subject`. Anything else is a defect and passes. */
  attempt(subject: string, read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof PlimsollError)) throw error;
      this.#add(subject, error);
    }
  }

  /** Faults since the last call. */
  take(): readonly PlimsollError[] {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }

  /** Faults since the start. */
  get total(): number {
    return this.#total;
  }

  #add(subject: string, error: PlimsollError): void {
    if (this.#known.get(subject) === error.message) return;
    // A bound on what is remembered: the oldest may be told twice.
    if (this.#known.size >= MOST_REMEMBERED) for (const [oldest] of this.#known) if (this.#known.delete(oldest)) break;
    this.#known.set(subject, error.message);
    this.#fresh.push(error);
    this.#total += 1;
  }
}

const MOST_REMEMBERED = 1_000;
