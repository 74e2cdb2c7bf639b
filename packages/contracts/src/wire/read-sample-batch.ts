import { BatchReader } from "./batch-reader.ts";
import { decodeNumbers } from "./column-reader.ts";
import { Fields } from "./fields.ts";
import { DEFAULT_WIRE_LIMITS, type WireLimits } from "./limits.ts";
import { refuse, refuseAbove } from "./refuse.ts";
import { SAMPLE_SCOPES, type SampleColumns, type SampleRow } from "./sample-row.ts";

const DAY_MS = 86_400_000;

/** A `SampleBatch` message as rows. Throws `batch_invalid`, `batch_time_invalid` or `batch_too_large`, nothing else. */
export function decodeSampleBatch(bytes: Uint8Array, limits: WireLimits = DEFAULT_WIRE_LIMITS): readonly SampleRow[] {
  return decodeSampleColumns(bytes, limits).flatMap(toRows);
}

/** The same as columns, one item per scope and resource, checked just as strictly: for stores that take columns. */
export function decodeSampleColumns(
  bytes: Uint8Array,
  limits: WireLimits = DEFAULT_WIRE_LIMITS,
): readonly SampleColumns[] {
  const batch = new BatchReader(bytes, "sample", limits);
  const blocks = batch.fields.all(30, "blocks");
  refuseAbove("sample.blocks", blocks.length, limits.maxResources);
  let rows = 0;
  const columns = blocks.map((blob) => {
    const block = new Fields(blob, "sample.blocks");
    // Bounded by what is left of the batch, which is bounded by the limits.
    const count = block.number(3, "rows", batch.rows - rows);
    rows += count;
    return readBlock(block, count, batch);
  });
  if (rows !== batch.rows) refuse("sample.rows", `says ${batch.rows}, the blocks have ${rows}`);
  return columns;
}

function readBlock(block: Fields, rows: number, batch: BatchReader): SampleColumns {
  const column = (no: number, field: string, max: number = Number.MAX_SAFE_INTEGER): Float64Array =>
    decodeNumbers(block.blob(no, field), `sample.${field}`, rows, max, batch.decoding);
  const scope = SAMPLE_SCOPES[block.number(2, "scope", SAMPLE_SCOPES.length - 1)] ?? "node";
  const resource = batch.texts.required(block.number(1, "resource", batch.texts.maxCode), "sample.resource");
  const windowStartMs = column(5, "window_start");
  const windowMs = column(6, "window", DAY_MS);
  checkWindows(windowStartMs, windowMs, batch);
  const usedAvg = column(10, "used_avg");
  return {
    scope,
    resource,
    rows,
    ...readSubjects(column(4, "subject"), scope, batch),
    windowStartMs,
    windowMs,
    requestedKnown: column(7, "requested_known", 1),
    readings: column(8, "readings", DAY_MS),
    requested: column(9, "requested"),
    usedAvg,
    usedMin: apart(usedAvg, column(11, "used_below"), -1),
    usedMax: apart(usedAvg, column(12, "used_above"), 1),
  };
}

function readSubjects(
  subjectIndex: Float64Array,
  scope: SampleColumns["scope"],
  batch: BatchReader,
): Pick<SampleColumns, "subjects" | "subjectIndex"> {
  if (scope === "cluster") return { subjects: [""], subjectIndex: new Float64Array(subjectIndex.length) };
  const subjects = scope === "node" ? batch.identifiers : batch.texts.all;
  for (const index of subjectIndex) if (index >= subjects.length) batch.entry(subjects, index, "subject");
  return { subjects, subjectIndex };
}

function checkWindows(starts: Float64Array, lengths: Float64Array, batch: BatchReader): void {
  for (let row = 0; row < starts.length; row += 1) {
    // Most rows have the window of the row before.
    if (row > 0 && starts[row] === starts[row - 1] && lengths[row] === lengths[row - 1]) continue;
    const start = batch.time(starts, row, "window_start");
    const length = lengths[row] ?? 0;
    if (length === 0) refuse("sample.window", "has no length");
    // Windows that are not aligned would count an instant twice.
    if (start % length !== 0) refuse("sample.window_start", `${start} is no multiple of the window of ${length} ms`);
  }
}

function apart(averages: Float64Array, distances: Float64Array, sign: 1 | -1): Float64Array {
  for (let row = 0; row < distances.length; row += 1) {
    const value = (averages[row] ?? 0) + sign * (distances[row] ?? 0);
    if (value < 0 || value > Number.MAX_SAFE_INTEGER) refuse("sample.used", `${value} is not from 0 to 2^53 - 1`);
    distances[row] = value;
  }
  return distances;
}

function toRows(columns: SampleColumns): readonly SampleRow[] {
  const { scope, resource, subjects, subjectIndex, windowStartMs, windowMs, requestedKnown, requested, readings } =
    columns;
  const { usedMin, usedAvg, usedMax } = columns;
  const rows: SampleRow[] = [];
  for (let row = 0; row < columns.rows; row += 1) {
    const used = cell(readings, row) > 0;
    rows.push({
      scope,
      subject: subjects[cell(subjectIndex, row)] ?? "",
      resource,
      windowStartMs: cell(windowStartMs, row),
      windowMs: cell(windowMs, row),
      requested: cell(requestedKnown, row) === 1 ? cell(requested, row) : null,
      usedMin: used ? cell(usedMin, row) : null,
      usedAvg: used ? cell(usedAvg, row) : null,
      usedMax: used ? cell(usedMax, row) : null,
      readings: cell(readings, row),
    });
  }
  return rows;
}

function cell(column: Float64Array, row: number): number {
  return column[row] ?? 0;
}
