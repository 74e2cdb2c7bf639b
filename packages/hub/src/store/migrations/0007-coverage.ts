import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import type { Tables } from "../tables.ts";

/** What coverage is computed from when it is asked for, in the place of what it was when the hour was priced. */
export async function addCoverage(db: Kysely<Tables>, types: ColumnTypes): Promise<void> {
  for (const column of ["billed_ms", "unseen_ms"]) {
    await db.schema.alterTable("cost_hours").addColumn(column, types.whole).execute();
  }
  for (const column of ["covered_ms", "expected_ms"]) {
    await db.schema.alterTable("cost_hours").dropColumn(column).execute();
  }
  // Few batches of many are quarantined: what coverage looks for is an index of its own.
  await db.schema
    .createIndex("ledger_batches_quarantined")
    .on("ledger_batches")
    .columns(["cluster_id", "sealed_at_ms"])
    .where(sql.ref("state"), "=", sql.lit("quarantined"))
    .execute();
}
