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
        end_ms: segment.endMs,
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
  readonly endMs: number;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly generation: number;
  readonly createdAtMs: number;
}

/** Which segments a question needs: those that have to do with the time from `fromMs` to `toMs`; null = no bound. */
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

const LIVE_COLUMNS = [
  "id",
  "path",
  "hour_start_ms as hourStartMs",
  "end_ms as endMs",
  "rows",
  "bytes",
  "sha256",
  "generation",
  "created_at_ms as createdAtMs",
] as const;

/** The live segments of a kind, by hour. */
export async function liveSegments(db: Kysely<Tables>, filter: SegmentFilter): Promise<readonly LiveSegment[]> {
  const { kind, fromMs, toMs, clusterIds } = filter;
  let query = db.selectFrom("segments").select(LIVE_COLUMNS).where("kind", "=", kind).where("state", "=", "live");
  if (fromMs !== null) query = query.where("end_ms", ">", fromMs);
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

/** Whose rows each of some segments holds: cluster with its revision or fingerprint, by segment id. */
export async function ownersBySegment(
  db: Kysely<Tables>,
  segments: readonly Pick<LiveSegment, "id">[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const ids = segments.map(({ id }) => id);
  const rows = await db
    .selectFrom("segment_clusters")
    .selectAll()
    .where("segment_id", "in", ["", ...ids])
    .execute();
  const bySegment = Map.groupBy(rows, ({ segment_id }) => segment_id);
  return new Map(
    [...bySegment].map(([id, owners]) => [
      id,
      new Map(owners.map(({ cluster_id, revision }) => [cluster_id, revision])),
    ]),
  );
}

/** Whose rows some segments hold together. */
export async function ownersOf(
  db: Kysely<Tables>,
  segments: readonly Pick<LiveSegment, "id">[],
): Promise<ReadonlyMap<string, number>> {
  const owners = await ownersBySegment(db, segments);
  return new Map([...owners.values()].flatMap((ofSegment) => [...ofSegment]));
}

/** Takes a segment out of answers because its file is missing or damaged. False when it was out already. */
export async function markBroken(db: Kysely<Tables>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("segments")
    .set({ state: "broken" })
    .where("id", "=", id)
    .where("state", "=", "live")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Makes a broken segment part of answers again: its file is back. */
export async function markLive(db: Kysely<Tables>, id: string): Promise<void> {
  await db.updateTable("segments").set({ state: "live" }).where("id", "=", id).where("state", "=", "broken").execute();
}

/** Every segment that was found missing or damaged and is not settled yet. */
export function brokenSegments(db: Kysely<Tables>): Promise<readonly LiveSegment[]> {
  return db.selectFrom("segments").select(LIVE_COLUMNS).where("state", "=", "broken").orderBy("id").execute();
}

/** Every live segment. */
export function liveSegmentsOfAllKinds(db: Kysely<Tables>): Promise<readonly LiveSegment[]> {
  return db.selectFrom("segments").select(LIVE_COLUMNS).where("state", "=", "live").orderBy("id").execute();
}

/** Paths of all files that are accounted for: of segments, whatever their state, and of garbage. */
export async function allPaths(db: Kysely<Tables>): Promise<readonly string[]> {
  const named = await db.selectFrom("segments").select("path").execute();
  const garbage = await db.selectFrom("segment_garbage").select("path").execute();
  return [...named, ...garbage].map(({ path }) => path);
}

/** Those of some paths that are accounted for. */
export async function pathsNamed(db: Kysely<Tables>, paths: readonly string[]): Promise<readonly string[]> {
  const asked = new Set(paths);
  return asked.size === 0 ? [] : (await allPaths(db)).filter((path) => asked.has(path));
}

/** Files that left the ledger before `beforeMs` and may be deleted. */
export async function garbagePaths(db: Kysely<Tables>, beforeMs: number): Promise<readonly string[]> {
  const rows = await db.selectFrom("segment_garbage").select("path").where("removed_at_ms", "<", beforeMs).execute();
  return rows.map(({ path }) => path);
}

/** Forgets garbage whose files are deleted. */
export async function forgetGarbage(db: Kysely<Tables>, paths: readonly string[]): Promise<void> {
  for (let start = 0; start < paths.length; start += ROWS_PER_INSERT) {
    await db
      .deleteFrom("segment_garbage")
      .where("path", "in", paths.slice(start, start + ROWS_PER_INSERT))
      .execute();
  }
}

/** Drops the segments of a kind that end before or at `beforeMs`, broken ones too. Returns how many. */
export async function dropSegmentsBefore(
  trx: Kysely<Tables>,
  kind: SegmentKind,
  beforeMs: number,
  nowMs: number,
): Promise<number> {
  const rows = await trx
    .selectFrom("segments")
    .select("id")
    .where("kind", "=", kind)
    .where("end_ms", "<=", beforeMs)
    .execute();
  await dropSegments(
    trx,
    rows.map(({ id }) => id),
    nowMs,
  );
  return rows.length;
}
