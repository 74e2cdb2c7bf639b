import type { BatchKey, SampleColumns } from "@plimsoll/contracts/wire";
import { CodedTable } from "./coded-table.ts";
import { type BatchesOf, hourOf } from "./fact-batch.ts";
import { StagedColumns } from "./staged-columns.ts";
import { type Staged, StagedTable } from "./staged-table.ts";

/** Columns of a sample file: one row per (subject, resource, window). A window stands in the hour that it starts in. */
export const SAMPLE_SELECT = `
  select cluster_id, incarnation::bigint as incarnation, spool_id, sequence::bigint as sequence,
    (window_start_ms - window_start_ms % 3600000)::bigint as hour_start_ms, scope, resource, subject,
    window_start_ms::bigint as window_start_ms, window_ms::integer as window_ms,
    case when requested_known = 1 then requested::bigint end as requested,
    case when readings > 0 then used_min::bigint end as used_min,
    case when readings > 0 then used_avg::bigint end as used_avg,
    case when readings > 0 then used_max::bigint end as used_max, readings::integer as readings
  from sample_rows join blocks using (block) join subjects using (subject_number)`;

/** Columns of numbers, and what they are called in `SampleColumns`. */
const NUMBERS = {
  window_start_ms: "windowStartMs",
  window_ms: "windowMs",
  requested_known: "requestedKnown",
  requested: "requested",
  readings: "readings",
  used_min: "usedMin",
  used_avg: "usedAvg",
  used_max: "usedMax",
} as const;
type NumberColumn = readonly [column: string, of: (typeof NUMBERS)[keyof typeof NUMBERS]];

const BLOCKS = {
  block: "code",
  cluster_id: "text",
  incarnation: "number",
  spool_id: "text",
  sequence: "number",
  scope: "text",
  resource: "text",
} as const;

/** A block of columns and the batch that it came in. */
interface KeyedBlock {
  readonly key: BatchKey;
  readonly block: SampleColumns;
}

/**
 * Sample batches as the tables that `SAMPLE_SELECT` reads. A column that holds one number throughout each block stands with
 * the blocks and not with the rows, as times and lengths mostly do: its name is that of the query either way.
 */
export function stageSamples(batches: BatchesOf<"sample">): Readonly<Record<string, Staged>> {
  const blocks = batches.flatMap(({ key, facts }) => facts.blocks.map((block) => ({ key, block })));
  const isSteady = ([, of]: NumberColumn): boolean => blocks.every(({ block }) => hasOneNumber(block[of]));
  const { true: steady = [], false: varying = [] } = Object.groupBy<string, NumberColumn>(
    Object.entries(NUMBERS),
    (column) => `${isSteady(column)}`,
  );
  const subjects = new CodedTable<string>("subject_number", { subject: "text" }, (subject) => [subject]);
  return {
    sample_rows: stageRows(blocks, varying, subjects),
    blocks: stageBlocks(blocks, steady),
    subjects: subjects.table,
  };
}

function hasOneNumber(column: Float64Array): boolean {
  for (let row = 1; row < column.length; row += 1) if (column[row] !== column[0]) return false;
  return true;
}

function stageBlocks(blocks: readonly KeyedBlock[], steady: readonly NumberColumn[]): StagedTable {
  const table = new StagedTable({ ...BLOCKS, ...Object.fromEntries(steady.map(([column]) => [column, "number"])) });
  for (const [number, { key, block }] of blocks.entries()) {
    const numbers = steady.map(([, of]) => block[of][0] ?? 0);
    const { clusterId, incarnation, spoolId, sequence } = key;
    table.add(number, clusterId, incarnation, spoolId, sequence, block.scope, block.resource, ...numbers);
  }
  return table;
}

function stageRows(
  blocks: readonly KeyedBlock[],
  varying: readonly NumberColumn[],
  subjects: CodedTable<string>,
): StagedColumns {
  const rows = blocks.reduce((sum, { block }) => sum + block.rows, 0);
  const [numbers, codes] = [new Int32Array(rows), new Int32Array(rows)];
  // Blocks of one batch share their subjects: each is looked up once. 0 = not yet, else 1 + the code.
  const known = new Map<readonly string[], Int32Array>();
  const columns = varying.map(([column, of]) => ({ column, of, values: new Float64Array(rows) }));
  let start = 0;
  for (const [number, { block }] of blocks.entries()) {
    numbers.fill(number, start, start + block.rows);
    const codesOf = known.get(block.subjects) ?? new Int32Array(block.subjects.length);
    known.set(block.subjects, codesOf);
    // By index: a cell costs several times as much through an iterator.
    for (let row = 0; row < block.rows; row += 1) {
      const index = block.subjectIndex[row] ?? 0;
      if (codesOf[index] === 0) codesOf[index] = 1 + subjects.number(block.subjects[index] ?? "");
      codes[start + row] = (codesOf[index] ?? 0) - 1;
    }
    for (const { of, values } of columns) values.set(block[of], start);
    start += block.rows;
  }
  const named = Object.fromEntries(columns.map(({ column, values }) => [column, values]));
  return new StagedColumns({ block: numbers, subject_number: codes, ...named }, rows);
}

/** Samples of one hour. */
interface SampleHour {
  readonly hourStartMs: number;
  rows: number;
  readonly clusterIds: Set<string>;
}

/** How many rows of which clusters each hour gets. */
export function sampleHours(batches: BatchesOf<"sample">): readonly SampleHour[] {
  const hours = new Map<number, SampleHour>();
  for (const { key, facts } of batches) {
    for (const { windowStartMs } of facts.blocks) {
      let hour: SampleHour | undefined;
      for (const ms of windowStartMs) {
        if (hour?.hourStartMs !== hourOf(ms)) hour = hourWith(hours, hourOf(ms), key.clusterId);
        hour.rows += 1;
      }
    }
  }
  return [...hours.values()];
}

function hourWith(hours: Map<number, SampleHour>, hourStartMs: number, clusterId: string): SampleHour {
  const hour = hours.get(hourStartMs) ?? { hourStartMs, rows: 0, clusterIds: new Set() };
  hour.clusterIds.add(clusterId);
  hours.set(hourStartMs, hour);
  return hour;
}
