import { type Kysely, sql } from "kysely";
import { type ColumnTypes, createTable } from "../column-types.ts";
import type { Tables } from "../tables.ts";

/** Settings and the audit log, which the store itself keeps append-only. */
export async function addAudit(db: Kysely<Tables>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, "settings", {
    columns: { key: "text", value: "text", updated_at_ms: "whole" },
    key: ["key"],
  });
  await createTable(db, types, "audit", {
    columns: {
      id: "whole",
      at_ms: "whole",
      actor: "text",
      on_behalf_of: "text?",
      channel: "text",
      address: "text?",
      verb: "text",
      thing: "text",
      thing_id: "text?",
      cluster_id: "text?",
      outcome: "text",
      code: "text?",
      reason: "text?",
      detail: "text",
      request_id: "text?",
      previous_hash: "text",
      hash: "text",
    },
    key: ["id"],
  });
  await createTable(db, types, "audit_checkpoints", {
    columns: { audit_id: "whole", hash: "text", at_ms: "whole", signature: "text" },
    key: ["audit_id"],
  });
  await db.schema.createIndex("audit_at").on("audit").columns(["at_ms"]).execute();
  await db.schema.createIndex("audit_cluster").on("audit").columns(["cluster_id", "id"]).execute();
  await (types.dialect === "sqlite" ? refuseOnSqlite(db) : refuseOnPostgres(db));
}

async function refuseOnSqlite(db: Kysely<Tables>): Promise<void> {
  for (const change of ["update", "delete"]) {
    await sql`create trigger ${sql.ref(`audit_no_${change}`)} before ${sql.raw(change)} on audit
      begin select raise(abort, 'the audit log is append-only'); end`.execute(db);
  }
}

async function refuseOnPostgres(db: Kysely<Tables>): Promise<void> {
  await sql`create function audit_refuse() returns trigger language plpgsql as
    $$ begin raise exception 'the audit log is append-only'; end $$`.execute(db);
  await sql`create trigger audit_no_change before update or delete or truncate on audit
    for each statement execute function audit_refuse()`.execute(db);
}
