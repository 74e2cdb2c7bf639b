import { decodeNumbers } from "./column-reader.ts";
import { Decoding } from "./decoding.ts";
import { Fields } from "./fields.ts";
import { readIdentifiers } from "./identifier-table.ts";
import { HOUR_MS, type WireLimits } from "./limits.ts";
import { refuse, refuseAbove } from "./refuse.ts";
import { TextTable } from "./text-table.ts";

/** What every batch message begins with: 1 rows, 2 dictionary, 3 identifiers; and how its columns are read. */
export class BatchReader {
  readonly fields: Fields;
  readonly rows: number;
  readonly texts: TextTable;
  readonly identifiers: readonly string[];
  readonly decoding: Decoding;
  private readonly name: string;

  /** Throws `batch_invalid` or `batch_too_large`. */
  constructor(bytes: Uint8Array, name: string, limits: WireLimits) {
    refuseAbove(`${name} bytes`, bytes.length, limits.maxRawBytes);
    this.name = name;
    this.decoding = new Decoding(limits);
    this.fields = new Fields(bytes, name, limits.maxDictionaryEntries + limits.maxResources);
    this.rows = this.fields.number(1, "rows", 0xffff_ffff);
    refuseAbove(`${name} rows`, this.rows, limits.maxRows);
    this.texts = new TextTable(this.fields, 2, `${name}.dictionary`, this.decoding);
    this.identifiers = readIdentifiers(this.fields, 3, this.decoding);
  }

  /** Column `no` as numbers from 0 to `max`, one per row. */
  column(no: number, field: string, max: number = Number.MAX_SAFE_INTEGER): Float64Array {
    return decodeNumbers(this.fields.blob(no, field), `${this.name}.${field}`, this.rows, max, this.decoding);
  }

  /** A point of time of a column, inside the limits. */
  time(column: Float64Array, row: number, field: string): number {
    return this.decoding.time(column[row] ?? 0, `${this.name}.${field}`);
  }

  /** Start of the row's UTC hour, and the point inside it that the row's values run to. */
  hour(
    hours: Float64Array,
    asOfs: Float64Array,
    row: number,
  ): { readonly hourStartMs: number; readonly asOfMs: number } {
    const hourStartMs = this.time(hours, row, "hour_start");
    if (hourStartMs % HOUR_MS !== 0) refuse(`${this.name}.hour_start`, `${hourStartMs} is not the start of a UTC hour`);
    const asOfMs = this.time(asOfs, row, "as_of");
    if (asOfMs < hourStartMs || asOfMs > hourStartMs + HOUR_MS) {
      refuse(`${this.name}.as_of`, `${asOfMs} is outside the hour that starts at ${hourStartMs}`);
    }
    return { hourStartMs, asOfMs };
  }

  /** The identifier of an index. */
  identifier(index: number | undefined, field: string): string {
    return this.entry(this.identifiers, index, field);
  }

  /** The entry of a table; refused when the index is outside it (a table that is empty has none at all). */
  entry<T>(table: readonly T[], index: number | undefined, field: string): T {
    return table[index ?? 0] ?? refuse(`${this.name}.${field}`, `has no entry ${index}`);
  }
}
