import type { BatchesOf } from "./fact-batch.ts";
import { stageKeys } from "./staged-keys.ts";
import { StagedTable } from "./staged-table.ts";

/** Columns of a gap file. A gap stands in the hour that it starts in. */
export const GAP_SELECT = `
  select cluster_id, incarnation::bigint as incarnation, spool_id, sequence::bigint as sequence,
    (start_ms - start_ms % 3600000)::bigint as hour_start_ms, start_ms::bigint as start_ms, end_ms::bigint as end_ms,
    as_of_ms::bigint as as_of_ms, reason, missing, subject, detail, lost_batches::bigint as lost_batches,
    lost_rows::bigint as lost_rows, lost_bytes::bigint as lost_bytes, lost_spool_id,
    lost_first::bigint as lost_first, lost_last::bigint as lost_last
  from gap_rows join batches using (batch)`;

const ROWS = {
  batch: "code",
  start_ms: "number",
  end_ms: "number",
  as_of_ms: "number",
  reason: "text",
  missing: "text",
  subject: "text",
  detail: "text",
  lost_batches: "number",
  lost_rows: "number",
  lost_bytes: "number",
  lost_spool_id: "text",
  lost_first: "number",
  lost_last: "number",
} as const;

/** Gap batches as the tables that `GAP_SELECT` reads. */
export function stageGaps(batches: BatchesOf<"gap">): Readonly<Record<string, StagedTable>> {
  const rows = new StagedTable(ROWS);
  for (const [batch, { facts }] of batches.entries()) {
    for (const row of facts.rows) {
      rows.add(
        batch,
        row.startMs,
        row.endMs,
        row.asOfMs,
        row.reason,
        row.missing,
        row.subject,
        row.detail,
        row.lostBatches,
        row.lostRows,
        row.lostBytes,
        row.lostSequences?.spoolId ?? null,
        row.lostSequences?.first ?? null,
        row.lostSequences?.last ?? null,
      );
    }
  }
  return { gap_rows: rows, batches: stageKeys(batches.map(({ key }) => key)) };
}
