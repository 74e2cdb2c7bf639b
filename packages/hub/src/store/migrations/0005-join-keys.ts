import type { Kysely } from "kysely";
import { type ColumnTypes, createTable } from "../column-types.ts";
import type { Tables } from "../tables.ts";

/** The key that used a join token: it may ask again when the answer was lost, and no other may. */
export async function addJoinKeys(db: Kysely<Tables>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, "join_keys", {
    columns: { token_id: "text", public_key_sha256: "text" },
    key: ["token_id"],
    belongsTo: [["token_id", "join_tokens", "id"]],
  });
}
