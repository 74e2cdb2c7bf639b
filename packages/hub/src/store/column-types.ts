import { type CreateTableBuilder, type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "./tables.ts";

/** The kinds of columns: text, a whole number of 64 bits, bytes, or the growing key of a log. `?` = may be null. */
type ColumnKind = "text" | "text?" | "whole" | "whole?" | "bytes" | "bytes?" | "growing";

/** The words in which SQLite and PostgreSQL differ. */
export interface ColumnTypes {
  readonly dialect: "sqlite" | "postgres";
  readonly text: RawBuilder<unknown>;
  readonly whole: RawBuilder<unknown>;
  readonly bytes: RawBuilder<unknown>;
}

/** The words of one dialect. */
export function columnTypes(dialect: ColumnTypes["dialect"]): ColumnTypes {
  return dialect === "sqlite"
    ? { dialect, text: sql`text`, whole: sql`integer`, bytes: sql`blob` }
    : { dialect, text: sql`text`, whole: sql`bigint`, bytes: sql`bytea` };
}

/** A table: its columns in order, and its key where that is no growing column. */
export interface TableShape {
  readonly columns: Readonly<Record<string, ColumnKind>>;
  readonly key?: readonly string[];
  /** Columns that name a row of another table: `[column, table, column there]`; the row goes with it. */
  readonly belongsTo?: readonly (readonly [string, string, string])[];
}

/** Creates a table of a shape. SQLite checks types as strictly as PostgreSQL does (`strict`). */
export async function createTable(
  db: Kysely<Tables>,
  types: ColumnTypes,
  name: string,
  shape: TableShape,
): Promise<void> {
  let table: CreateTableBuilder<string, string> = db.schema.createTable(name);
  for (const [column, kind] of Object.entries(shape.columns)) table = addColumn(table, column, kind, types);
  if (shape.key) table = table.addPrimaryKeyConstraint(`${name}_key`, [...shape.key]);
  for (const [column, parent, parentColumn] of shape.belongsTo ?? []) {
    table = table.addForeignKeyConstraint(`${name}_${column}_of`, [column], parent, [parentColumn], (constraint) =>
      constraint.onDelete("cascade"),
    );
  }
  await (types.dialect === "sqlite" ? table.modifyEnd(sql`strict`) : table).execute();
}

function addColumn(
  table: CreateTableBuilder<string, string>,
  name: string,
  kind: ColumnKind,
  types: ColumnTypes,
): CreateTableBuilder<string, string> {
  if (kind === "growing") {
    return types.dialect === "sqlite"
      ? table.addColumn(name, types.whole, (column) => column.primaryKey().autoIncrement())
      : table.addColumn(name, types.whole, (column) => column.primaryKey().generatedAlwaysAsIdentity());
  }
  const type = kind.startsWith("text") ? types.text : kind.startsWith("whole") ? types.whole : types.bytes;
  return table.addColumn(name, type, (column) => (kind.endsWith("?") ? column : column.notNull()));
}
