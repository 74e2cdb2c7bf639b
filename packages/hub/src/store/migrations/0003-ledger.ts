import type { Kysely } from "kysely";
import { type ColumnTypes, createTable, type TableShape } from "../column-types.ts";
import type { Tables } from "../tables.ts";

const SHAPES: Readonly<Record<string, TableShape>> = {
  ledger_batches: {
    columns: {
      cluster_id: "text",
      incarnation: "whole",
      spool_id: "text",
      sequence: "whole",
      sha256: "text",
      kind: "text?",
      rows: "whole",
      state: "text",
      sealed_at_ms: "whole",
      received_at_ms: "whole",
    },
    key: ["cluster_id", "incarnation", "spool_id", "sequence"],
  },
  ledger_marks: {
    columns: {
      cluster_id: "text",
      incarnation: "whole",
      spool_id: "text",
      contiguous: "whole",
      ranges: "text",
      updated_at_ms: "whole",
    },
    key: ["cluster_id", "incarnation", "spool_id"],
  },
  segments: {
    columns: {
      id: "text",
      kind: "text",
      hour_start_ms: "whole",
      path: "text",
      rows: "whole",
      bytes: "whole",
      sha256: "text",
      generation: "whole",
      state: "text",
      created_at_ms: "whole",
    },
    key: ["id"],
  },
  segment_clusters: {
    columns: { segment_id: "text", cluster_id: "text", revision: "whole" },
    key: ["segment_id", "cluster_id"],
    belongsTo: [["segment_id", "segments", "id"]],
  },
  segment_garbage: {
    columns: { path: "text", removed_at_ms: "whole" },
    key: ["path"],
  },
  quarantine: {
    columns: {
      id: "growing",
      cluster_id: "text?",
      incarnation: "whole?",
      spool_id: "text?",
      sequence: "whole?",
      code: "text",
      message: "text",
      source: "text",
      bytes: "bytes?",
      byte_count: "whole",
      sha256: "text",
      times: "whole",
      first_at_ms: "whole",
      last_at_ms: "whole",
      replayed_at_ms: "whole?",
    },
  },
};

/** The ledger. No foreign key to clusters: what was delivered outlives a registration. */
export async function addLedger(db: Kysely<Tables>, types: ColumnTypes): Promise<void> {
  for (const [name, shape] of Object.entries(SHAPES)) await createTable(db, types, name, shape);
  await db.schema.createIndex("ledger_batches_received").on("ledger_batches").columns(["received_at_ms"]).execute();
  await db.schema.createIndex("segments_hour").on("segments").columns(["kind", "hour_start_ms"]).execute();
  await db.schema.createIndex("segments_path").unique().on("segments").columns(["path"]).execute();
  await db.schema.createIndex("segment_clusters_cluster").on("segment_clusters").columns(["cluster_id"]).execute();
  await db.schema.createIndex("quarantine_cluster").on("quarantine").columns(["cluster_id", "sha256"]).execute();
}
