import type { Kysely } from "kysely";
import { type ColumnTypes, createTable } from "../column-types.ts";
import type { Tables } from "../tables.ts";

/** Service tokens, local users and their sessions. */
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
  await createTable(db, types, "users", {
    columns: {
      id: "text",
      name: "text",
      password_hash: "text",
      grants: "text",
      disabled: "whole",
      failed: "whole",
      locked_until_ms: "whole?",
      created_at_ms: "whole",
      updated_at_ms: "whole",
    },
    key: ["id"],
  });
  await db.schema.createIndex("users_name").on("users").column("name").unique().execute();
  await createTable(db, types, "sessions", {
    columns: {
      id_hash: "text",
      user_id: "text",
      csrf_hash: "text",
      created_at_ms: "whole",
      last_used_at_ms: "whole",
      expires_at_ms: "whole",
      address: "text?",
    },
    key: ["id_hash"],
    belongsTo: [["user_id", "users", "id"]],
  });
  await db.schema.createIndex("sessions_user").on("sessions").column("user_id").execute();
}
