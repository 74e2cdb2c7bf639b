import { PlimsollError } from "@plimsoll/contracts";
import type { Kysely } from "kysely";
import type { Tables } from "../store/tables.ts";
import type { SegmentKind } from "../store/tables-ledger.ts";
import { addSegments, dropSegments, type LiveSegment } from "./segment-rows.ts";
import type { SegmentInfo } from "./segments.ts";

/** Files above it are left as they are. */
const SMALL_BYTES = 64 * 1024 * 1024;

/** Whose rows some segments hold together, and how the ledger knows them: to notice when that changes. */
export interface SegmentOwners {
  /** Revision by cluster (cost only, else 0). */
  readonly clusters: ReadonlyMap<string, number>;
  readonly fingerprint: string;
}

/** Live segments of a kind that are small enough to be merged. */
export function smallSegments(db: Kysely<Tables>, kind: SegmentKind): Promise<readonly LiveSegment[]> {
  return db
    .selectFrom("segments")
    .select(["id", "path", "hour_start_ms as hourStartMs", "rows", "bytes", "generation"])
    .where("kind", "=", kind)
    .where("state", "=", "live")
    .where("bytes", "<", SMALL_BYTES)
    .orderBy("hour_start_ms")
    .orderBy("id")
    .execute();
}

/** The owners of segments as they are now. */
export async function ownersOf(
  db: Kysely<Tables>,
  segments: readonly Pick<LiveSegment, "id">[],
): Promise<SegmentOwners> {
  const rows = await db
    .selectFrom("segments")
    .innerJoin("segment_clusters", "segment_clusters.segment_id", "segments.id")
    .select(["segments.id", "segment_clusters.cluster_id", "segment_clusters.revision"])
    .where(
      "segments.id",
      "in",
      segments.map(({ id }) => id),
    )
    .where("segments.state", "=", "live")
    .orderBy("segments.id")
    .orderBy("segment_clusters.cluster_id")
    .execute();
  return {
    clusters: new Map(rows.map(({ cluster_id, revision }) => [cluster_id, revision])),
    fingerprint: rows.map(({ id, cluster_id, revision }) => `${id} ${cluster_id} ${revision}`).join("\n"),
  };
}

/**
 * Puts segments in the place of others, in one commit. Throws `ledger_moved` when the others are no longer what they were
 * when their rows were read (re-priced, dropped, broken).
 */
export async function exchangeSegments(
  trx: Kysely<Tables>,
  old: readonly LiveSegment[],
  owners: SegmentOwners,
  merged: readonly SegmentInfo[],
  nowMs: number,
): Promise<void> {
  const { fingerprint } = await ownersOf(trx, old);
  if (fingerprint !== owners.fingerprint)
    throw new PlimsollError("ledger_moved", { batch: "segments that are merged" });
  await dropSegments(
    trx,
    old.map(({ id }) => id),
    nowMs,
  );
  await addSegments(trx, merged, nowMs);
}
