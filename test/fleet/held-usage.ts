import { join } from "node:path";
import { liveSegments } from "../../packages/hub/src/ledger/segment-rows.ts";
import { openStore, type StoreTarget } from "../../packages/hub/src/store/store.ts";
import { Duck } from "../../packages/hub/src/warehouse/duck.ts";
import { newestOf } from "../../packages/hub/src/warehouse/newest.ts";
import { sourceOf } from "../../packages/hub/src/warehouse/segment-reader.ts";

/** What a hub holds of one pod, over all its hours and intervals. */
export interface HeldUsage {
  /** ∫request dt: nanocore-seconds and byte-seconds. */
  readonly cpu: bigint;
  readonly memory: bigint;
  /** The integrals run up to here. */
  readonly asOfMs: number;
  /** Its last interval is closed. */
  readonly ended: boolean;
  readonly unseenMs: number;
}

/**
 * The usage rows in the data folder of a hub, running or not, by pod UID. `scratch` is a folder for DuckDB; the ledger is
 * the folder's own unless it is named.
 */
export async function heldUsage(
  dataDir: string,
  scratch: string,
  ledger: StoreTarget = { sqlite: join(dataDir, "hub.sqlite") },
): Promise<ReadonlyMap<string, HeldUsage>> {
  const store = await openStore(ledger);
  const duck = await Duck.open({ temporaryFolder: scratch, memoryMegabytes: 128, threads: 1 });
  try {
    const clusters = await store.db.selectFrom("clusters").select("id").execute();
    const filter = { kind: "usage", fromMs: 0, toMs: null, clusterIds: clusters.map(({ id }) => id) } as const;
    const segments = await liveSegments(store.db, filter);
    if (segments.length === 0) return new Map();
    const rows = await duck.query(`
      select pod_uid, coalesce(sum(request) filter (resource = 'cpu'), 0)::varchar as cpu,
        coalesce(sum(request) filter (resource = 'memory'), 0)::varchar as memory,
        max(as_of_ms) as as_of_ms, arg_max(interval_end_ms is not null, row(interval_start_ms, hour_start_ms)) as ended,
        max(unseen_ms) as unseen_ms
      from (${newestOf("usage", sourceOf(dataDir, segments))}) group by pod_uid`);
    return new Map(
      rows.map((row) => [
        row.text("pod_uid"),
        {
          cpu: BigInt(row.text("cpu")),
          memory: BigInt(row.text("memory")),
          asOfMs: row.number("as_of_ms"),
          ended: row.flag("ended"),
          unseenMs: row.number("unseen_ms"),
        },
      ]),
    );
  } finally {
    duck.close();
    await store.close();
  }
}
