import { DOUBLE, type DuckDBConnection, INTEGER } from "@duckdb/node-api";
import { loadChunks, type Staged } from "./staged-table.ts";

/** A whole and exact number for each row, or the number of a thing in another table. */
export type StagedColumn = Float64Array | Int32Array;

/** Columns of equal length on their way into DuckDB as they are: no list of values is made, nothing is null. */
export class StagedColumns implements Staged {
  private readonly columns: Readonly<Record<string, StagedColumn>>;
  private readonly rows: number;

  constructor(columns: Readonly<Record<string, StagedColumn>>, rows: number) {
    this.columns = columns;
    this.rows = rows;
  }

  async load(connection: DuckDBConnection, name: string): Promise<void> {
    const types = Object.entries(this.columns).map(([column, values]) => ({
      name: column,
      type: values instanceof Float64Array ? DOUBLE : INTEGER,
    }));
    await loadChunks(connection, name, types, this.rows, (chunk, start, end) => {
      for (const [index, values] of Object.values(this.columns).entries()) {
        const vector = chunk.getColumnVector(index);
        for (let row = start; row < end; row += 1) vector.setItem(row - start, values[row] ?? 0);
        vector.flush();
      }
    });
  }
}
