import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import type { Tables } from "../tables.ts";

/** Segments of more than one hour. Those of before are of one. */
export async function addSegmentEnds(db: Kysely<Tables>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable("segments")
    .addColumn("end_ms", types.whole, (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`update segments set end_ms = hour_start_ms + 3600000`.execute(db);
  await db.schema.createIndex("segments_end").on("segments").columns(["kind", "end_ms"]).execute();
}
