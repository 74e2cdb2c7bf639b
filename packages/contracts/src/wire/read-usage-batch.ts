import { readAttributions } from "./attribution-table.ts";
import { BatchReader } from "./batch-reader.ts";
import { decodeIntegrals, decodeNumbers } from "./column-reader.ts";
import { type Decoding, flag, word } from "./decoding.ts";
import type { Fields } from "./fields.ts";
import { readLabelSets } from "./label-sets.ts";
import { DEFAULT_WIRE_LIMITS, HOUR_MS, type WireLimits } from "./limits.ts";
import { readResourceBlocks } from "./resource-blocks.ts";
import { METERING_MODES, type UsageIntegrals, type UsageRow } from "./usage-row.ts";

/** A `UsageBatch` message as rows. Throws `batch_invalid`, `batch_time_invalid` or `batch_too_large`, nothing else. */
export function decodeUsageBatch(bytes: Uint8Array, limits: WireLimits = DEFAULT_WIRE_LIMITS): readonly UsageRow[] {
  const batch = new BatchReader(bytes, "usage", limits);
  const { fields, rows, texts, identifiers, decoding } = batch;
  const labelSets = readLabelSets(fields.blob(4, "label_sets"), texts, decoding);
  const attributions = readAttributions(fields.blob(5, "attributions"), labelSets, texts, decoding);
  const podUids = batch.column(10, "pod_uid", identifiers.length - 1);
  const starts = batch.column(11, "interval_start");
  const hours = batch.column(12, "hour_start");
  const asOfs = batch.column(13, "as_of");
  const ends = batch.column(14, "interval_end");
  const clamped = batch.column(15, "clamped", 1);
  const billed = batch.column(16, "billed", HOUR_MS);
  const unseen = batch.column(17, "unseen", HOUR_MS);
  const attribution = batch.column(18, "attribution", attributions.length - 1);
  const podNames = batch.column(19, "pod_name", texts.maxCode);
  const nodeNames = batch.column(20, "node_name", texts.maxCode);
  const nodeUids = batch.column(21, "node_uid", identifiers.length);
  const modes = batch.column(22, "mode", 0xff);
  const resources = readResourceBlocks(fields, 30, "usage.resources", rows, texts, decoding, (block, count) =>
    readIntegrals(block, count, decoding),
  );
  return Array.from({ length: rows }, (_, row) => {
    const intervalStartMs = batch.time(starts, row, "interval_start");
    const end = decoding.end(intervalStartMs, ends[row] ?? 0, "usage.interval_end");
    return {
      podUid: batch.identifier(podUids[row], "pod_uid"),
      intervalStartMs,
      ...batch.hour(hours, asOfs, row),
      intervalEndMs: end.endMs,
      clamped: end.clamped || flag(clamped[row]),
      billedMs: billed[row] ?? 0,
      unseenMs: unseen[row] ?? 0,
      mode: word(METERING_MODES, modes[row] ?? 0, "usage.mode"),
      podName: texts.required(podNames[row], "usage.pod_name"),
      nodeName: texts.required(nodeNames[row], "usage.node_name"),
      nodeUid: nodeUids[row] ? batch.identifier((nodeUids[row] ?? 0) - 1, "node_uid") : null,
      attribution: batch.entry(attributions, attribution[row], "attribution"),
      resources: batch.entry(resources, row, "resources"),
    };
  });
}

function readIntegrals(block: Fields, rows: number, decoding: Decoding): (index: number) => UsageIntegrals {
  const name = "usage.resources";
  const request = decodeIntegrals(block.blob(4, "request"), `${name}.request`, rows, decoding);
  const usage = decodeIntegrals(block.blob(5, "usage"), `${name}.usage`, rows, decoding);
  const charged = decodeIntegrals(block.blob(6, "charged"), `${name}.charged`, rows, decoding);
  const covered = decodeNumbers(block.blob(7, "usage_covered"), `${name}.usage_covered`, rows, HOUR_MS, decoding);
  return (index) => ({
    request: request[index] ?? 0n,
    usage: usage[index] ?? 0n,
    charged: charged[index] ?? 0n,
    usageCoveredMs: covered[index] ?? 0,
  });
}
