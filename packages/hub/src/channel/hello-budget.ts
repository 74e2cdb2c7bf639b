import type { Clock } from "@plimsoll/collect";

/** Hellos of one cluster that are heard after a pause, and how often one more is. */
const BURST = 10;
const EVERY_MS = 3_000;
/** Clusters that are remembered; whoever is forgotten has its full share again. */
const MOST_REMEMBERED = 10_000;

/** Bounds how often the agents of one cluster may connect: a loop of reconnecting must not keep the others out. */
export class HelloBudget {
  readonly #clock: Clock;
  /** When the share of a cluster is full again. */
  readonly #fullAtMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes one of the cluster's share. Gives 0, or how long to stay away, milliseconds. */
  take(clusterId: string): number {
    const now = this.#clock.now();
    const fullAt = Math.max(this.#fullAtMs.get(clusterId) ?? 0, now);
    const waitMs = fullAt - now - (BURST - 1) * EVERY_MS;
    if (waitMs > 0) return waitMs;
    this.#fullAtMs.delete(clusterId);
    this.#fullAtMs.set(clusterId, fullAt + EVERY_MS);
    if (this.#fullAtMs.size > MOST_REMEMBERED) this.#forgetOldest();
    return 0;
  }

  #forgetOldest(): void {
    const [oldest] = this.#fullAtMs.keys();
    if (oldest !== undefined) this.#fullAtMs.delete(oldest);
  }
}
