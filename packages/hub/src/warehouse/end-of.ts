import type { SegmentKind } from "../store/tables-ledger.ts";

/**
 * The end of the time that rows are about, as an SQL aggregate: their last hour's. A gap stands in the hour that it starts in
 * and reaches as far as it was heard of, so that a question for a time need not look at every hour before it.
 */
export function endOf(kind: SegmentKind): string {
  const hours = "max(hour_start_ms) + 3600000";
  return kind === "gap" ? `greatest(${hours}, max(as_of_ms), max(coalesce(end_ms, as_of_ms)))` : hours;
}
