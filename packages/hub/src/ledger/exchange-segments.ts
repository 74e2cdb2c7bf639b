import { PlimsollError } from "@plimsoll/contracts";
import type { Kysely } from "kysely";
import type { Tables } from "../store/tables.ts";
import { addSegments, dropSegments, type LiveSegment } from "./segment-rows.ts";
import type { SegmentInfo } from "./segments.ts";

/** A cluster's hour with the revision of its priced rows that counts. */
export interface CountedHour {
  readonly clusterId: string;
  readonly hourStartMs: number;
  readonly revision: number;
}

/** The priced hours of a time, of every cluster. */
export function countedHours(db: Kysely<Tables>, fromMs: number, toMs: number): Promise<readonly CountedHour[]> {
  return db
    .selectFrom("cost_hours")
    .select(["cluster_id as clusterId", "hour_start_ms as hourStartMs", "revision"])
    .where("hour_start_ms", ">=", fromMs)
    .where("hour_start_ms", "<", toMs)
    .where("revision", ">", 0)
    .execute();
}

/**
 * Puts segments in the place of others, in one commit. Throws `ledger_moved` when one of the others left the answers since it
 * was read (broken, dropped, merged by another).
 */
export async function exchangeSegments(
  trx: Kysely<Tables>,
  old: readonly LiveSegment[],
  merged: readonly SegmentInfo[],
  nowMs: number,
): Promise<void> {
  if (old.length > 0) await dropLive(trx, old, nowMs);
  await addSegments(trx, merged, nowMs);
}

async function dropLive(trx: Kysely<Tables>, old: readonly LiveSegment[], nowMs: number): Promise<void> {
  const ids = old.map(({ id }) => id);
  const live = await trx
    .selectFrom("segments")
    .select("id")
    .where("id", "in", ids)
    .where("state", "=", "live")
    .execute();
  if (live.length !== ids.length) throw new PlimsollError("ledger_moved", { batch: "segments that are merged" });
  await dropSegments(trx, ids, nowMs);
}
