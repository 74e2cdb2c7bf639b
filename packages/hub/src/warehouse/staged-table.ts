import {
  BIGINT,
  BOOLEAN,
  DECIMAL,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBDecimalValue,
  type DuckDBType,
  type DuckDBValue,
  HUGEINT,
  INTEGER,
  VARCHAR,
} from "@duckdb/node-api";

/** Most rows of one chunk. */
const CHUNK_ROWS = 2_048;

/**
 * How a column's values are handed over: text; a number that is whole and exact (as DOUBLE, which is faster than BIGINT; the
 * file's column is whole); a small whole number that tables are joined by; a bigint of 64 bits; a bigint of any size;
 * nano-units of money; true or false.
 */
export type StagedType = "text" | "number" | "code" | "big" | "huge" | "money" | "flag";

const TYPES: Readonly<Record<StagedType, DuckDBType>> = {
  text: VARCHAR,
  number: DOUBLE,
  code: INTEGER,
  big: BIGINT,
  huge: HUGEINT,
  money: DECIMAL(18, 9),
  flag: BOOLEAN,
};

/** The greatest amount of a DECIMAL(18,9). */
export const MAX_MONEY_NANOS = 10n ** 18n - 1n;

/** What becomes a temporary table of DuckDB. */
export interface Staged {
  /** Creates the temporary table `name` with the rows. */
  load(connection: DuckDBConnection, name: string): Promise<void>;
}

/** Rows on their way into DuckDB, column by column. */
export class StagedTable implements Staged {
  private readonly names: readonly string[];
  private readonly types: readonly DuckDBType[];
  private readonly columns: DuckDBValue[][];

  constructor(shape: Readonly<Record<string, StagedType>>) {
    const entries = Object.entries(shape);
    this.names = entries.map(([name]) => name);
    this.types = entries.map(([, type]) => TYPES[type]);
    this.columns = entries.map(() => []);
  }

  get rows(): number {
    return this.columns[0]?.length ?? 0;
  }

  /** Adds a row; values in the order of the shape. */
  add(...values: readonly DuckDBValue[]): void {
    for (let index = 0; index < this.columns.length; index += 1) this.columns[index]?.push(values[index] ?? null);
  }

  load(connection: DuckDBConnection, name: string): Promise<void> {
    const columns = this.types.map((type, index) => ({ name: this.names[index] ?? "", type }));
    return loadChunks(connection, name, columns, this.rows, (chunk, start, end) => {
      for (const [index, values] of this.columns.entries()) chunk.setColumnValues(index, values.slice(start, end));
    });
  }
}

/** Creates a temporary table and fills it; `fill` writes the rows from `start` to before `end` into an empty chunk. */
export async function loadChunks(
  connection: DuckDBConnection,
  name: string,
  columns: readonly { readonly name: string; readonly type: DuckDBType }[],
  rows: number,
  fill: (chunk: DuckDBDataChunk, start: number, end: number) => void,
): Promise<void> {
  await connection.run(
    `create temp table ${name} (${columns.map((column) => `${column.name} ${column.type}`).join(", ")})`,
  );
  const types = columns.map(({ type }) => type);
  const appender = await connection.createAppender(name, null, "temp");
  try {
    for (let start = 0; start < rows; start += CHUNK_ROWS) {
      const end = Math.min(start + CHUNK_ROWS, rows);
      const chunk = DuckDBDataChunk.create(types, end - start);
      fill(chunk, start, end);
      appender.appendDataChunk(chunk);
    }
  } finally {
    appender.closeSync();
  }
}

/** Nano-units as a cell of a money column. Throws RangeError beyond `MAX_MONEY_NANOS`. */
export function moneyCell(nanos: bigint): DuckDBDecimalValue {
  if (nanos > MAX_MONEY_NANOS || nanos < -MAX_MONEY_NANOS)
    throw new RangeError(`${nanos} nano-units do not fit a file`);
  return new DuckDBDecimalValue(nanos, 18, 9);
}
