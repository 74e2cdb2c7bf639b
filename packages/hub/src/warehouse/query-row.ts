import { DuckDBDecimalValue, type DuckDBValue } from "@duckdb/node-api";

/** One row of an answer, read by column name and expected type. A cell of another type is a defect: TypeError. */
export class QueryRow {
  private readonly columns: ReadonlyMap<string, number>;
  private readonly cells: readonly DuckDBValue[];

  constructor(columns: ReadonlyMap<string, number>, cells: readonly DuckDBValue[]) {
    this.columns = columns;
    this.cells = cells;
  }

  text(name: string): string {
    return this.textOrNull(name) ?? this.refuse(name);
  }

  textOrNull(name: string): string | null {
    const cell = this.cell(name);
    return cell === null || typeof cell === "string" ? cell : this.refuse(name);
  }

  /** A whole number that a number holds exactly. */
  number(name: string): number {
    return this.numberOrNull(name) ?? this.refuse(name);
  }

  numberOrNull(name: string): number | null {
    const cell = this.cell(name);
    if (cell === null) return null;
    const number = typeof cell === "bigint" ? Number(cell) : cell;
    return typeof number === "number" && Number.isSafeInteger(number) ? number : this.refuse(name);
  }

  /** A whole number of any size; for decimals, their digits (money with nine places: nano-units). */
  big(name: string): bigint {
    return this.bigOrNull(name) ?? this.refuse(name);
  }

  bigOrNull(name: string): bigint | null {
    const cell = this.cell(name);
    if (cell === null || typeof cell === "bigint") return cell;
    if (cell instanceof DuckDBDecimalValue) return cell.value;
    return typeof cell === "number" && Number.isSafeInteger(cell) ? BigInt(cell) : this.refuse(name);
  }

  flag(name: string): boolean {
    const cell = this.cell(name);
    return typeof cell === "boolean" ? cell : this.refuse(name);
  }

  private cell(name: string): DuckDBValue {
    const index = this.columns.get(name);
    return index === undefined ? this.refuse(name) : (this.cells[index] ?? null);
  }

  private refuse(name: string): never {
    throw new TypeError(`column ${name} holds ${this.cells[this.columns.get(name) ?? -1]}`);
  }
}
