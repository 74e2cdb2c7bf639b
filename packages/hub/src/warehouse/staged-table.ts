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
  VARCHAR,
} from "@duckdb/node-api";

/** Most rows of one chunk. */
const CHUNK_ROWS = 2_048;

/**
 * How a column's values are handed over: text; a number that is whole and exact (as DOUBLE, which is faster than BIGINT; the
 * file's column is whole); a bigint of 64 bits; a bigint of any size; nano-units of money; true or false.
 */
export type StagedType = "text" | "number" | "big" | "huge" | "money" | "flag";

const TYPES: Readonly<Record<StagedType, DuckDBType>> = {
  text: VARCHAR,
  number: DOUBLE,
  big: BIGINT,
  huge: HUGEINT,
  money: DECIMAL(18, 9),
  flag: BOOLEAN,
};

/** The greatest amount of a DECIMAL(18,9). */
export const MAX_MONEY_NANOS = 10n ** 18n - 1n;

/** Rows on their way into DuckDB, column by column. */
export class StagedTable {
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

  /** Creates the temporary table `name` with the rows. */
  async load(connection: DuckDBConnection, name: string): Promise<void> {
    const columns = this.names.map((column, index) => `${column} ${this.types[index]}`);
    await connection.run(`create temp table ${name} (${columns.join(", ")})`);
    const appender = await connection.createAppender(name, null, "temp");
    try {
      for (let start = 0; start < this.rows; start += CHUNK_ROWS) appender.appendDataChunk(this.chunk(start));
    } finally {
      appender.closeSync();
    }
  }

  private chunk(start: number): DuckDBDataChunk {
    const end = Math.min(start + CHUNK_ROWS, this.rows);
    const chunk = DuckDBDataChunk.create(this.types, end - start);
    for (const [index, values] of this.columns.entries()) chunk.setColumnValues(index, values.slice(start, end));
    return chunk;
  }
}

/** Nano-units as a cell of a money column. Throws RangeError beyond `MAX_MONEY_NANOS`. */
export function moneyCell(nanos: bigint): DuckDBDecimalValue {
  if (nanos > MAX_MONEY_NANOS || nanos < -MAX_MONEY_NANOS)
    throw new RangeError(`${nanos} nano-units do not fit a file`);
  return new DuckDBDecimalValue(nanos, 18, 9);
}
