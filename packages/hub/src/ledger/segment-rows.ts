import type { Kysely } from "kysely";
import type { Tables } from "../store/tables.ts";
import type { SegmentKind } from "../store/tables-ledger.ts";
import type { SegmentInfo } from "./segments.ts";

/** Rows of one insert: SQLite takes 32,766 values at most. */
const ROWS_PER_INSERT = 1_000;

/** Makes segments part of answers. */
export async function addSegments(trx: Kysely<Tables>, segments: readonly SegmentInfo[], nowMs: number): Promise<void> {
  for (const segment of segments) {
    const { id, kind, path, rows, bytes, sha256, generation } = segment;
    await trx
      .insertInto("segments")
      .values({
        id,
        kind,
        hour_start_ms: segment.hourStartMs,
        path,
        rows,
        bytes,
        sha256,
        generation,
        state: "live",
        created_at_ms: nowMs,
      })
      .execute();
    const owners = [...segment.clusters].map(([cluster_id, revision]) => ({ segment_id: id, cluster_id, revision }));
    for (let start = 0; start < owners.length; start += ROWS_PER_INSERT) {
      await trx
        .insertInto("segment_clusters")
        .values(owners.slice(start, start + ROWS_PER_INSERT))
        .execute();
    }
  }
}

/** Takes segments out of answers. Their files are garbage from `nowMs` on. */
export async function dropSegments(trx: Kysely<Tables>, ids: readonly string[], nowMs: number): Promise<void> {
  for (let start = 0; start < ids.length; start += ROWS_PER_INSERT) {
    const part = ids.slice(start, start + ROWS_PER_INSERT);
    await trx
      .insertInto("segment_garbage")
      .columns(["path", "removed_at_ms"])
      .expression((from) =>
        from
          .selectFrom("segments")
          .select(({ eb }) => ["path", eb.val(nowMs).as("removed_at_ms")])
          .where("id", "in", part),
      )
      .execute();
    await trx.deleteFrom("segments").where("id", "in", part).execute();
  }
}

/** A segment that answers are made of. */
export interface LiveSegment {
  readonly id: string;
  readonly path: string;
  readonly hourStartMs: number;
  readonly rows: number;
  readonly bytes: number;
  readonly generation: number;
}

/** Which segments a question needs. Hours are inclusive starts; null = no bound. */
export interface SegmentFilter {
  readonly kind: SegmentKind;
  readonly fromMs: number | null;
  /** Exclusive. */
  readonly toMs: number | null;
  /** Null = every cluster's. */
  readonly clusterIds: readonly string[] | null;
}

/** More clusters than that are not worth a filter: most segments hold one of them. */
const MAX_CLUSTERS_IN_FILTER = 200;

/** The live segments of a kind, by hour. */
export async function liveSegments(db: Kysely<Tables>, filter: SegmentFilter): Promise<readonly LiveSegment[]> {
  const { kind, fromMs, toMs, clusterIds } = filter;
  let query = db
    .selectFrom("segments")
    .select(["id", "path", "hour_start_ms as hourStartMs", "rows", "bytes", "generation"])
    .where("kind", "=", kind)
    .where("state", "=", "live");
  if (fromMs !== null) query = query.where("hour_start_ms", ">=", fromMs);
  if (toMs !== null) query = query.where("hour_start_ms", "<", toMs);
  if (clusterIds !== null && clusterIds.length <= MAX_CLUSTERS_IN_FILTER) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom("segment_clusters")
          .select("segment_id")
          .whereRef("segment_id", "=", "segments.id")
          .where("cluster_id", "in", clusterIds.length > 0 ? clusterIds : [""]),
      ),
    );
  }
  return query.orderBy("hour_start_ms").orderBy("id").execute();
}
