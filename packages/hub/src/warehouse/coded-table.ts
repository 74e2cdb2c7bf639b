import type { DuckDBValue } from "@duckdb/node-api";
import { StagedTable, type StagedType } from "./staged-table.ts";

/**
 * A table of things that many rows share, each handed over once: rows name it by its number. Texts are what takes the time
 * between JavaScript and DuckDB.
 */
export class CodedTable<Thing> {
  readonly table: StagedTable;
  private readonly numbers = new Map<Thing, number>();
  private readonly cellsOf: (thing: Thing) => readonly DuckDBValue[];

  /** `key` names the column of the number; `cellsOf` gives the others in the order of the shape. */
  constructor(
    key: string,
    shape: Readonly<Record<string, StagedType>>,
    cellsOf: (thing: Thing) => readonly DuckDBValue[],
  ) {
    this.table = new StagedTable({ [key]: "code", ...shape });
    this.cellsOf = cellsOf;
  }

  /** The number of a thing: of the same object, or of an equal text. */
  number(thing: Thing): number {
    const known = this.numbers.get(thing);
    if (known !== undefined) return known;
    const number = this.numbers.size;
    this.numbers.set(thing, number);
    this.table.add(number, ...this.cellsOf(thing));
    return number;
  }
}
