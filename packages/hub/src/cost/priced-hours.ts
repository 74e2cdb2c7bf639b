import type { TouchedHour } from "../ledger/ledger.ts";
import type { Store } from "../store/store.ts";

/** Notices which hours another process has priced. */
export class PricedHours {
  readonly #store: Store;
  /** Revisions that the work has been done for. */
  #known = new Map<string, number>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Gives `work` the hours from `fromMs` on that were priced since its last success; at first all of them. */
  async whenChanged(fromMs: number, work: (hours: readonly TouchedHour[]) => Promise<void>): Promise<void> {
    const hours = await this.#store.db
      .selectFrom("cost_hours")
      .select(["cluster_id as clusterId", "hour_start_ms as hourStartMs", "revision"])
      .where("hour_start_ms", ">=", fromMs)
      .where("revision", ">", 0)
      .execute();
    const keyOf = ({ clusterId, hourStartMs }: TouchedHour): string => `${clusterId} ${hourStartMs}`;
    await work(hours.filter((hour) => this.#known.get(keyOf(hour)) !== hour.revision));
    this.#known = new Map(hours.map((hour) => [keyOf(hour), hour.revision]));
  }
}
