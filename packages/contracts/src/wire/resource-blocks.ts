import { decodeNumbers } from "./column-reader.ts";
import { encodeNumbers } from "./column-writer.ts";
import type { Decoding } from "./decoding.ts";
import { Fields } from "./fields.ts";
import { MessageWriter } from "./message-writer.ts";
import { refuse, refuseAbove } from "./refuse.ts";
import type { TextTable, TextTableWriter } from "./text-table.ts";

/** The rows of a batch that have one resource, and what they have of it. */
export interface ResourceBlock<V> {
  readonly resource: string;
  /** Ascending indices of rows. */
  readonly rows: readonly number[];
  readonly values: readonly V[];
}

interface HasResources<V> {
  readonly resources: ReadonlyMap<string, V>;
}

/** The rows' resources turned into one block per resource, in order of their first appearance. */
export function toResourceBlocks<V>(rows: readonly HasResources<V>[]): readonly ResourceBlock<V>[] {
  const blocks = new Map<string, { resource: string; rows: number[]; values: V[] }>();
  for (const [index, row] of rows.entries()) {
    for (const [resource, value] of row.resources) {
      const block = blocks.get(resource) ?? { resource, rows: [], values: [] };
      blocks.set(resource, block);
      block.rows.push(index);
      block.values.push(value);
    }
  }
  return [...blocks.values()];
}

/** Fields 1 to 3 of a resource message: name, and which rows; a block over all rows names none. */
export function startResourceBlock(
  block: ResourceBlock<unknown>,
  batchRows: number,
  texts: TextTableWriter,
  field: string,
): MessageWriter {
  const message = new MessageWriter().number(1, texts.code(block.resource));
  if (block.rows.length === batchRows) return message;
  return message.number(2, block.rows.length).blob(3, encodeNumbers(block.rows, `${field}.row`));
}

/**
 * Reads the resource messages of repeated field `no` back into one map per row. `readValues` decodes the value columns
 * of one block and answers the value of its k-th row. Throws `batch_invalid` when a resource comes twice or a row does.
 */
export function readResourceBlocks<V>(
  batch: Fields,
  no: number,
  field: string,
  batchRows: number,
  texts: TextTable,
  decoding: Decoding,
  readValues: (block: Fields, rows: number) => (index: number) => V,
): readonly ReadonlyMap<string, V>[] {
  const blocks = batch.all(no, field);
  refuseAbove(field, blocks.length, decoding.limits.maxResources);
  const maps = Array.from({ length: batchRows }, () => new Map<string, V>());
  const seen = new Set<string>();
  for (const blob of blocks) {
    const block = new Fields(blob, field);
    const resource = texts.required(block.number(1, "resource", texts.maxCode), `${field}.resource`);
    if (seen.has(resource)) refuse(field, `${resource} comes more than once`);
    seen.add(resource);
    const rows = readRowIndices(block, `${field}.row`, batchRows, decoding);
    const count = rows?.length ?? batchRows;
    const valueAt = readValues(block, count);
    for (let index = 0; index < count; index += 1) maps[rows?.[index] ?? index]?.set(resource, valueAt(index));
  }
  return maps;
}

function readRowIndices(block: Fields, field: string, batchRows: number, decoding: Decoding): Float64Array | undefined {
  const column = block.blob(3, "row");
  const count = block.number(2, "rows", batchRows);
  if (column === undefined && count === 0) return undefined;
  const rows = decodeNumbers(column, field, count, batchRows - 1, decoding);
  for (let index = 1; index < count; index += 1) {
    if ((rows[index] ?? 0) <= (rows[index - 1] ?? 0)) refuse(field, "is not ascending");
  }
  return rows;
}
