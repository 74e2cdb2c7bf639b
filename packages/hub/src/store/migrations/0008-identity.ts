import type { Kysely } from "kysely";
import { type ColumnTypes, createTable } from "../column-types.ts";
import type { Tables } from "../tables.ts";

/** Service tokens. */
export async function addIdentity(db: Kysely<Tables>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, "service_tokens", {
    columns: {
      id: "text",
      name: "text",
      hash: "text",
      grants: "text",
      created_by: "text",
      created_at_ms: "whole",
      expires_at_ms: "whole",
      last_used_at_ms: "whole?",
    },
    key: ["id"],
  });
  await db.schema.createIndex("service_tokens_name").on("service_tokens").column("name").unique().execute();
  await db.schema.createIndex("service_tokens_hash").on("service_tokens").column("hash").unique().execute();
}
