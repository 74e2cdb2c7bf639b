import { BatchReader } from "./batch-reader.ts";
import { BatchWriter } from "./batch-writer.ts";
import type { GapRow } from "./gap-row.ts";
import { DEFAULT_WIRE_LIMITS, type WireLimits } from "./limits.ts";
import { refuse } from "./refuse.ts";

const WORD = /^[a-z0-9_]{1,64}$/;

/** Gap rows as a `GapBatch` message. Throws `batch_invalid` when a number is not whole, negative or too large. */
export function encodeGapBatch(rows: readonly GapRow[]): Uint8Array {
  const batch = new BatchWriter(rows, "gap");
  const { texts } = batch;
  return batch
    .column(10, "start", (row) => row.startMs)
    .column(11, "end", (row) => row.endMs ?? 0)
    .column(12, "as_of", (row) => row.asOfMs)
    .column(13, "reason", (row) => texts.code(row.reason))
    .column(14, "missing", (row) => texts.code(row.missing))
    .column(15, "subject", (row) => texts.code(row.subject))
    .column(16, "detail", (row) => texts.code(row.detail))
    .column(17, "lost_batches", (row) => row.lostBatches)
    .column(18, "lost_rows", (row) => row.lostRows)
    .column(19, "lost_bytes", (row) => row.lostBytes)
    .column(20, "spool_id", (row) => texts.code(row.lostSequences?.spoolId ?? null))
    .column(21, "first_sequence", (row) => row.lostSequences?.first ?? 0)
    .column(22, "last_sequence", (row) => row.lostSequences?.last ?? 0)
    .finish();
}

/** A `GapBatch` message as rows. Throws `batch_invalid`, `batch_time_invalid` or `batch_too_large`, nothing else. */
export function decodeGapBatch(bytes: Uint8Array, limits: WireLimits = DEFAULT_WIRE_LIMITS): readonly GapRow[] {
  const batch = new BatchReader(bytes, "gap", limits);
  const { rows, texts, decoding } = batch;
  const starts = batch.column(10, "start");
  const ends = batch.column(11, "end");
  const asOfs = batch.column(12, "as_of");
  const [reasons, missing, subjects, details, spoolIds] = [13, 14, 15, 16, 20].map((no) =>
    batch.column(no, `text ${no}`, texts.maxCode),
  );
  const lostBatches = batch.column(17, "lost_batches");
  const lostRows = batch.column(18, "lost_rows");
  const lostBytes = batch.column(19, "lost_bytes");
  const firsts = batch.column(21, "first_sequence");
  const lasts = batch.column(22, "last_sequence");
  return Array.from({ length: rows }, (_, row) => {
    const startMs = batch.time(starts, row, "start");
    return {
      startMs,
      endMs: decoding.end(startMs, ends[row] ?? 0, "gap.end").endMs,
      asOfMs: batch.time(asOfs, row, "as_of"),
      reason: word(texts.required(reasons?.[row], "gap.reason"), "gap.reason"),
      missing: optionalWord(texts.optional(missing?.[row]), "gap.missing"),
      subject: texts.optional(subjects?.[row]),
      detail: texts.optional(details?.[row]),
      lostBatches: lostBatches[row] ?? 0,
      lostRows: lostRows[row] ?? 0,
      lostBytes: lostBytes[row] ?? 0,
      lostSequences: readSequences(texts.optional(spoolIds?.[row]), firsts[row] ?? 0, lasts[row] ?? 0),
    };
  });
}

function word(text: string, field: string): string {
  return WORD.test(text) ? text : refuse(field, `"${text.slice(0, 80)}" is no word of [a-z0-9_]`);
}

function optionalWord(text: string | null, field: string): string | null {
  return text === null ? null : word(text, field);
}

function readSequences(spoolId: string | null, first: number, last: number): GapRow["lostSequences"] {
  if (spoolId === null) return null;
  if (first > last) refuse("gap.last_sequence", `${last} is before the first, ${first}`);
  return { spoolId, first, last };
}
