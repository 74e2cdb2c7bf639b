import { AttributionTableWriter } from "./attribution-table.ts";
import { BatchWriter } from "./batch-writer.ts";
import { encodeIntegrals, encodeNumbers } from "./column-writer.ts";
import { type ResourceBlock, startResourceBlock, toResourceBlocks } from "./resource-blocks.ts";
import type { TextTableWriter } from "./text-table.ts";
import { METERING_MODES, type UsageIntegrals, type UsageRow } from "./usage-row.ts";

/**
 * Usage rows as a `UsageBatch` message. Rows of one workload next to each other compress best. Throws `batch_invalid`
 * when a number is not whole, negative or too large; all else is checked by the reader.
 */
export function encodeUsageBatch(rows: readonly UsageRow[]): Uint8Array {
  const batch = new BatchWriter(rows, "usage");
  const { identifiers, texts, body } = batch;
  const attributions = new AttributionTableWriter(texts);
  for (const row of rows) identifiers.add(row.podUid);
  for (const row of rows) if (row.nodeUid !== null) identifiers.add(row.nodeUid);
  batch
    .column(10, "pod_uid", (row) => identifiers.index(row.podUid))
    .column(11, "interval_start", (row) => row.intervalStartMs)
    .column(12, "hour_start", (row) => row.hourStartMs)
    .column(13, "as_of", (row) => row.asOfMs)
    .column(14, "interval_end", (row) => row.intervalEndMs ?? 0)
    .column(15, "clamped", (row) => Number(row.clamped))
    .column(16, "billed", (row) => row.billedMs)
    .column(17, "unseen", (row) => row.unseenMs)
    .column(18, "attribution", (row) => attributions.index(row.attribution))
    .column(19, "pod_name", (row) => texts.code(row.podName))
    .column(20, "node_name", (row) => texts.code(row.nodeName))
    .column(21, "node_uid", (row) => (row.nodeUid === null ? 0 : 1 + identifiers.index(row.nodeUid)))
    .column(22, "mode", (row) => METERING_MODES.indexOf(row.mode));
  attributions.write(body, 4, 5);
  for (const block of toResourceBlocks(rows)) body.blob(30, encodeResource(block, rows.length, texts));
  return batch.finish();
}

function encodeResource(block: ResourceBlock<UsageIntegrals>, batchRows: number, texts: TextTableWriter): Uint8Array {
  const integrals = (field: string, of: (value: UsageIntegrals) => bigint): Uint8Array | undefined =>
    encodeIntegrals(block.values.map(of), `usage.resources.${field}`);
  return startResourceBlock(block, batchRows, texts, "usage.resources")
    .blob(
      4,
      integrals("request", (value) => value.request),
    )
    .blob(
      5,
      integrals("usage", (value) => value.usage),
    )
    .blob(
      6,
      integrals("charged", (value) => value.charged),
    )
    .blob(
      7,
      encodeNumbers(
        block.values.map((value) => value.usageCoveredMs),
        "usage.resources.usage_covered",
      ),
    )
    .finish();
}
