import { type Kysely, sql } from "kysely";
import { type ColumnTypes, createTable } from "../column-types.ts";
import type { Tables } from "../tables.ts";

/** Pricing by hour. */
export async function addCost(db: Kysely<Tables>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, "cost_hours", {
    columns: {
      cluster_id: "text",
      hour_start_ms: "whole",
      facts_version: "whole",
      priced_version: "whole",
      revision: "whole",
      priced_at_ms: "whole?",
      up_to_ms: "whole?",
      covered_ms: "whole?",
      expected_ms: "whole?",
      currency: "text?",
      cost_nanos: "whole?",
      price_sources: "text?",
      unpriced: "text?",
    },
    key: ["cluster_id", "hour_start_ms"],
  });
  await db.schema.createIndex("cost_hours_hour").on("cost_hours").columns(["hour_start_ms"]).execute();
  // Few hours wait at any time: what the pricing loop looks for is an index of its own.
  await db.schema
    .createIndex("cost_hours_waiting")
    .on("cost_hours")
    .columns(["hour_start_ms"])
    .where(sql.ref("facts_version"), ">", sql.ref("priced_version"))
    .execute();
}
