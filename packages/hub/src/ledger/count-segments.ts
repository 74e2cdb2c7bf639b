import type { Kysely } from "kysely";
import type { Tables } from "../store/tables.ts";
import { addSegments, dropSegments } from "./segment-rows.ts";
import type { SegmentInfo } from "./segments.ts";

/**
 * Makes segments part of answers. Priced rows take the place of those of earlier revisions of the same cluster and hour; the
 * revision right before stays, for a question that has read it from the ledger and not yet found its files.
 */
export async function countSegments(
  trx: Kysely<Tables>,
  segments: readonly SegmentInfo[],
  nowMs: number,
): Promise<void> {
  const priced = segments.filter(({ kind }) => kind === "cost");
  for (const segment of priced) await disownEarlier(trx, segment);
  const hours = [...new Set(priced.map(({ hourStartMs }) => hourStartMs))];
  if (hours.length > 0) await dropUnowned(trx, hours, nowMs);
  await addSegments(trx, segments, nowMs);
}

async function disownEarlier(trx: Kysely<Tables>, { hourStartMs, endMs, clusters }: SegmentInfo): Promise<void> {
  for (const [clusterId, revision] of clusters) {
    await trx
      .deleteFrom("segment_clusters")
      .where("cluster_id", "=", clusterId)
      .where("revision", ">", 0)
      .where("revision", "<", revision - 1)
      .where("segment_id", "in", (eb) =>
        eb
          .selectFrom("segments")
          .select("id")
          .where("kind", "=", "cost")
          .where("hour_start_ms", "=", hourStartMs)
          .where("end_ms", "=", endMs),
      )
      .execute();
  }
}

/** Drops cost segments of these hours that hold no cluster's counted rows any more. */
async function dropUnowned(trx: Kysely<Tables>, hourStarts: readonly number[], nowMs: number): Promise<void> {
  const rows = await trx
    .selectFrom("segments")
    .select("id")
    .where("kind", "=", "cost")
    .where("hour_start_ms", "in", hourStarts)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("segment_clusters").select("cluster_id").whereRef("segment_id", "=", "segments.id"))),
    )
    .execute();
  await dropSegments(
    trx,
    rows.map(({ id }) => id),
    nowMs,
  );
}
