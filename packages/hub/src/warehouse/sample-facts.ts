import type { SampleColumns } from "@plimsoll/contracts/wire";
import type { BatchesOf } from "./fact-batch.ts";
import { stageKeys } from "./staged-keys.ts";
import { StagedTable } from "./staged-table.ts";

/** Columns of a sample file: one row per (subject, resource, window). A window stands in the hour that it starts in. */
export const SAMPLE_SELECT = `
  select cluster_id, incarnation::bigint as incarnation, spool_id, sequence::bigint as sequence,
    (window_start_ms - window_start_ms % 3600000)::bigint as hour_start_ms, scope, resource, subject,
    window_start_ms::bigint as window_start_ms, window_ms::integer as window_ms,
    case when requested_known = 1 then requested::bigint end as requested,
    case when readings > 0 then used_min::bigint end as used_min,
    case when readings > 0 then used_avg::bigint end as used_avg,
    case when readings > 0 then used_max::bigint end as used_max, readings::integer as readings
  from sample_rows join batches using (batch) join blocks using (block)`;

const ROWS = {
  batch: "number",
  block: "number",
  subject: "text",
  window_start_ms: "number",
  window_ms: "number",
  requested_known: "number",
  requested: "number",
  readings: "number",
  used_min: "number",
  used_avg: "number",
  used_max: "number",
} as const;

/** Sample batches as the tables that `SAMPLE_SELECT` reads. */
export function stageSamples(batches: BatchesOf<"sample">): Readonly<Record<string, StagedTable>> {
  const rows = new StagedTable(ROWS);
  const blocks = new StagedTable({ block: "number", scope: "text", resource: "text" });
  for (const [batch, { facts }] of batches.entries()) {
    for (const block of facts.blocks) {
      addSamples(rows, batch, blocks.rows, block);
      blocks.add(blocks.rows, block.scope, block.resource);
    }
  }
  return { sample_rows: rows, blocks, batches: stageKeys(batches.map(({ key }) => key)) };
}

function addSamples(rows: StagedTable, batch: number, number: number, block: SampleColumns): void {
  const at = (column: Float64Array, row: number): number => column[row] ?? 0;
  for (let row = 0; row < block.rows; row += 1) {
    rows.add(
      batch,
      number,
      block.subjects[row] ?? "",
      at(block.windowStartMs, row),
      at(block.windowMs, row),
      at(block.requestedKnown, row),
      at(block.requested, row),
      at(block.readings, row),
      at(block.usedMin, row),
      at(block.usedAvg, row),
      at(block.usedMax, row),
    );
  }
}
