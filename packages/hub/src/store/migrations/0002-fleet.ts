import { type Kysely, sql } from "kysely";
import { type ColumnTypes, createTable, type TableShape } from "../column-types.ts";
import type { Tables } from "../tables.ts";

const OF_CLUSTER = [["cluster_id", "clusters", "id"]] as const;

const CLUSTERS: TableShape = {
  columns: {
    id: "text",
    name: "text",
    fingerprint: "text?",
    incarnation: "whole",
    mode: "text",
    phase: "text",
    simulated: "whole",
    base: "text",
    labels: "text",
    dynamic: "text?",
    capacity: "text?",
    detected: "text?",
    resource_states: "text?",
    session_epoch: "whole",
    report_sequence: "whole",
    resource_version: "whole",
    observed_at_ms: "whole?",
    received_at_ms: "whole?",
    created_at_ms: "whole",
    updated_at_ms: "whole",
  },
  key: ["id"],
};

const OF_A_CLUSTER: Readonly<Record<string, TableShape>> = {
  liveness: {
    columns: {
      cluster_id: "text",
      connectivity: "text",
      since_ms: "whole",
      last_beat_at_ms: "whole?",
      clock_offset_ms: "whole?",
      spool: "text?",
    },
    key: ["cluster_id"],
    belongsTo: OF_CLUSTER,
  },
  conditions: {
    columns: {
      cluster_id: "text",
      type: "text",
      status: "text",
      reason: "text",
      message: "text",
      since_ms: "whole",
      observed_at_ms: "whole",
    },
    key: ["cluster_id", "type"],
    belongsTo: OF_CLUSTER,
  },
  transitions: {
    columns: {
      id: "growing",
      cluster_id: "text",
      type: "text",
      from_state: "text?",
      to_state: "text",
      reason: "text",
      at_ms: "whole",
    },
    belongsTo: OF_CLUSTER,
  },
  credentials: {
    columns: {
      id: "text",
      cluster_id: "text",
      kind: "text",
      sealed: "bytes",
      key_id: "text",
      created_at_ms: "whole",
      expires_at_ms: "whole?",
    },
    key: ["id"],
    belongsTo: OF_CLUSTER,
  },
  certificates: {
    columns: {
      serial: "text",
      cluster_id: "text",
      incarnation: "whole",
      not_before_ms: "whole",
      not_after_ms: "whole",
      revoked_at_ms: "whole?",
    },
    key: ["serial"],
    belongsTo: OF_CLUSTER,
  },
  agents: {
    columns: {
      cluster_id: "text",
      session_epoch: "whole",
      incarnation: "whole",
      instance: "text",
      agent_version: "text",
      capabilities: "text",
      policy_revision: "whole",
      connected_at_ms: "whole",
      disconnected_at_ms: "whole?",
      reason: "text?",
    },
    key: ["cluster_id", "session_epoch"],
    belongsTo: OF_CLUSTER,
  },
};

const BESIDE: Readonly<Record<string, TableShape>> = {
  join_tokens: {
    columns: {
      id: "text",
      token_hash: "text",
      cluster_name: "text",
      labels: "text",
      created_by: "text",
      created_at_ms: "whole",
      expires_at_ms: "whole",
      used_at_ms: "whole?",
      used_by_cluster_id: "text?",
    },
    key: ["id"],
  },
  policies: {
    columns: {
      name: "text",
      revision: "whole",
      selector: "text",
      priority: "whole",
      document: "text",
      resource_version: "whole",
      updated_at_ms: "whole",
    },
    key: ["name"],
  },
};

/** The registry. Names and fingerprints are unique among the clusters that are no tombstone. */
export async function addFleet(db: Kysely<Tables>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, "clusters", CLUSTERS);
  for (const [name, shape] of Object.entries({ ...OF_A_CLUSTER, ...BESIDE })) await createTable(db, types, name, shape);
  for (const column of ["name", "fingerprint"]) {
    await db.schema
      .createIndex(`clusters_${column}`)
      .unique()
      .on("clusters")
      .columns([column])
      .where(sql.ref("phase"), "!=", sql.lit("deregistered"))
      .execute();
  }
  await db.schema.createIndex("join_tokens_hash").unique().on("join_tokens").columns(["token_hash"]).execute();
  await db.schema.createIndex("transitions_cluster").on("transitions").columns(["cluster_id", "at_ms"]).execute();
  for (const table of ["credentials", "certificates"]) {
    await db.schema.createIndex(`${table}_cluster`).on(table).columns(["cluster_id"]).execute();
  }
}
