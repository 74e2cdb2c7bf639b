import { BatchWriter } from "./batch-writer.ts";
import { encodeNumbers } from "./column-writer.ts";
import type { IdentifierTableWriter } from "./identifier-table.ts";
import { MessageWriter } from "./message-writer.ts";
import { SAMPLE_SCOPES, type SampleRow, type SampleScope } from "./sample-row.ts";
import type { TextTableWriter } from "./text-table.ts";

interface Block {
  readonly scope: SampleScope;
  readonly resource: string;
  readonly rows: SampleRow[];
}

/**
 * Sample rows as a `SampleBatch` message, grouped by scope and resource (order within a group is kept). Round them first
 * (`roundSample`); rows of one subject next to each other compress best. Throws `batch_invalid` when a number is not
 * whole, negative or too large, or minimum ≤ average ≤ maximum does not hold.
 */
export function encodeSampleBatch(rows: readonly SampleRow[]): Uint8Array {
  const batch = new BatchWriter(rows, "sample");
  for (const row of rows) if (row.scope === "node") batch.identifiers.add(row.subject);
  for (const block of groupRows(rows)) batch.body.blob(30, encodeBlock(block, batch.texts, batch.identifiers));
  return batch.finish();
}

function groupRows(rows: readonly SampleRow[]): readonly Block[] {
  const blocks = new Map<string, Block>();
  let current: Block | undefined;
  for (const row of rows) {
    if (current?.scope !== row.scope || current.resource !== row.resource) {
      const key = `${row.scope} ${row.resource}`;
      current = blocks.get(key) ?? { scope: row.scope, resource: row.resource, rows: [] };
      blocks.set(key, current);
    }
    current.rows.push(row);
  }
  return [...blocks.values()];
}

function encodeBlock(block: Block, texts: TextTableWriter, identifiers: IdentifierTableWriter): Uint8Array {
  const numbers = (field: string, of: (row: SampleRow) => number): Uint8Array | undefined =>
    encodeNumbers(block.rows.map(of), `sample.${field}`);
  const subject = (row: SampleRow): number => {
    if (row.scope === "node") return identifiers.index(row.subject);
    return row.scope === "namespace" ? texts.code(row.subject) - 1 : 0;
  };
  return new MessageWriter()
    .number(1, texts.code(block.resource))
    .number(2, SAMPLE_SCOPES.indexOf(block.scope))
    .number(3, block.rows.length)
    .blob(4, numbers("subject", subject))
    .blob(
      5,
      numbers("window_start", (row) => row.windowStartMs),
    )
    .blob(
      6,
      numbers("window", (row) => row.windowMs),
    )
    .blob(
      7,
      numbers("requested_known", (row) => Number(row.requested !== null)),
    )
    .blob(
      8,
      numbers("readings", (row) => row.readings),
    )
    .blob(
      9,
      numbers("requested", (row) => row.requested ?? 0),
    )
    .blob(
      10,
      numbers("used_avg", (row) => row.usedAvg ?? 0),
    )
    .blob(
      11,
      numbers("used_below", (row) => (row.usedAvg ?? 0) - (row.usedMin ?? 0)),
    )
    .blob(
      12,
      numbers("used_above", (row) => (row.usedMax ?? 0) - (row.usedAvg ?? 0)),
    )
    .finish();
}
