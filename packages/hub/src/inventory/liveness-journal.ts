import type { Store } from "../store/store.ts";
import type { NewRow } from "../store/tables.ts";
import type { ConnectivityState, SettledHealth } from "./liveness-rules.ts";
import { toHealthStatus } from "./stored-health.ts";

/** What is stored of a cluster's liveness. */
export interface StoredLiveness {
  readonly state: ConnectivityState;
  readonly sinceMs: number;
  readonly lastBeatAtMs: number | null;
  readonly health: SettledHealth | null;
}

/** What is to be stored: read when it is stored, so that only the last state is written. */
export type LivenessSource = () =>
  | (StoredLiveness & {
      readonly clockOffsetMs: number | null;
      readonly spool: Readonly<Record<string, unknown>> | null;
    })
  | undefined;

/** A change of state to keep. */
export interface Transition {
  readonly type: "connectivity" | "health";
  readonly from: string | null;
  readonly to: string;
  readonly reason: string;
  readonly atMs: number;
}

const HEALTH = "Healthy";

/**
 * Liveness in the store. Changes are written soon, many together; beats alone wait for the next `flush`. What could not be
 * written is tried again with the next one, in order.
 */
export class LivenessJournal {
  readonly #store: Store;
  readonly #failed: (error: unknown) => void;
  #sources = new Map<string, LivenessSource>();
  #transitions: NewRow<"transitions">[] = [];
  #running: Promise<void> = Promise.resolve();
  #scheduled = false;

  constructor(store: Store, failed: (error: unknown) => void) {
    this.#store = store;
    this.#failed = failed;
  }

  /** By cluster: of these, or of all. */
  async load(clusterIds?: readonly string[]): Promise<ReadonlyMap<string, StoredLiveness>> {
    const rows = await this.#store.db
      .selectFrom("liveness")
      .leftJoin("conditions", (join) =>
        join.onRef("conditions.cluster_id", "=", "liveness.cluster_id").on("conditions.type", "=", HEALTH),
      )
      .select(["liveness.cluster_id", "connectivity", "liveness.since_ms", "last_beat_at_ms"])
      .select(["conditions.reason", "conditions.since_ms as health_since_ms"])
      .$if(clusterIds !== undefined, (query) => query.where("liveness.cluster_id", "in", clusterIds ?? []))
      .execute();
    return new Map(
      rows.map((row) => [
        row.cluster_id,
        {
          state: row.connectivity,
          sinceMs: row.since_ms,
          lastBeatAtMs: row.last_beat_at_ms,
          health:
            row.reason === null || row.health_since_ms === null
              ? null
              : { status: toHealthStatus(row.reason), sinceMs: row.health_since_ms, pending: null },
        },
      ]),
    );
  }

  /** Something that is worth a write when one happens anyway. */
  touched(clusterId: string, source: LivenessSource): void {
    this.#sources.set(clusterId, source);
  }

  /** A change: written soon. */
  changed(clusterId: string, source: LivenessSource, transition?: Transition): void {
    this.#sources.set(clusterId, source);
    if (transition) {
      this.#transitions.push({
        cluster_id: clusterId,
        type: transition.type,
        from_state: transition.from,
        to_state: transition.to,
        reason: transition.reason,
        at_ms: transition.atMs,
      });
    }
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => void this.flush());
  }

  /** Writes all that waits. Never rejects. */
  flush(): Promise<void> {
    this.#scheduled = false;
    this.#running = this.#running.then(() => this.#write());
    return this.#running;
  }

  async #write(): Promise<void> {
    if (this.#sources.size === 0 && this.#transitions.length === 0) return;
    const [sources, transitions] = [this.#sources, this.#transitions];
    this.#sources = new Map();
    this.#transitions = [];
    try {
      await writeLiveness(this.#store, sources, transitions);
    } catch (error) {
      this.#sources = new Map([...sources, ...this.#sources]);
      this.#transitions = [...transitions, ...this.#transitions];
      this.#failed(error);
    }
  }
}

async function writeLiveness(
  store: Store,
  sources: ReadonlyMap<string, LivenessSource>,
  transitions: readonly NewRow<"transitions">[],
): Promise<void> {
  await store.write(async (trx) => {
    for (const [clusterId, source] of sources) {
      const held = source();
      if (!held) continue;
      const state = {
        connectivity: held.state,
        since_ms: held.sinceMs,
        last_beat_at_ms: held.lastBeatAtMs,
        clock_offset_ms: held.clockOffsetMs === null ? null : Math.round(held.clockOffsetMs),
        spool: held.spool && JSON.stringify(held.spool),
      };
      await trx
        .insertInto("liveness")
        .values({ cluster_id: clusterId, ...state })
        .onConflict((conflict) => conflict.column("cluster_id").doUpdateSet(state))
        .execute();
      if (!held.health) continue;
      const condition = conditionOf(held.health);
      await trx
        .insertInto("conditions")
        .values({ cluster_id: clusterId, type: HEALTH, ...condition })
        .onConflict((conflict) => conflict.columns(["cluster_id", "type"]).doUpdateSet(condition))
        .execute();
    }
    if (transitions.length > 0)
      await trx
        .insertInto("transitions")
        .values([...transitions])
        .execute();
  });
}

function conditionOf({ status, sinceMs }: SettledHealth): Omit<NewRow<"conditions">, "cluster_id" | "type"> {
  return {
    status: status === "unknown" ? "unknown" : status === "healthy" ? "true" : "false",
    reason: status,
    message: `reported as ${status}`,
    since_ms: sinceMs,
    observed_at_ms: sinceMs,
  };
}
