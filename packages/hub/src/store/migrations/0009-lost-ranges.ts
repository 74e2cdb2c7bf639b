import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Which sequences of a spool were given up as lost, apart from those that came. */
export async function addLostRanges(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .alterTable("ledger_marks")
    .addColumn("lost", "text", (column) => column.notNull().defaultTo("[]"))
    .execute();
}
