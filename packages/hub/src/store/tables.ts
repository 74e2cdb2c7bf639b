import type { Insertable, Selectable } from "kysely";
import type { CostTables } from "./tables-cost.ts";
import type { FleetTables } from "./tables-fleet.ts";
import type { IdentityTables } from "./tables-identity.ts";
import type { LedgerTables } from "./tables-ledger.ts";

/** A point of time: milliseconds since 1970 UTC by the hub's clock, unless the column says otherwise. */
export type Millis = number;
/** JSON text. Written with JSON.stringify, parsed with a schema by whoever reads it. */
export type JsonText = string;
/** 0 or 1: SQLite has no boolean, and one schema serves both stores. */
export type Flag = number;

/** Values of the hub itself, one JSON text each. */
export interface SettingsTable {
  key: string;
  value: JsonText;
  updated_at_ms: Millis;
}

/** Who did what to which thing, and why; refused attempts too. Rows are only ever added: the store refuses the rest. */
export interface AuditTable {
  /** Place in the log: 1, 2, 3 … without holes. */
  id: number;
  at_ms: Millis;
  actor: string;
  /** Whom the actor acted for, where it was another. */
  on_behalf_of: string | null;
  channel: "rest" | "stream" | "hub";
  address: string | null;
  verb: string;
  /** What it was done to: `cluster`, `join-token`, … */
  thing: string;
  /** Its id or name; null = the whole kind. */
  thing_id: string | null;
  cluster_id: string | null;
  outcome: "allowed" | "refused" | "failed";
  /** Of the error, where it came to nothing. */
  code: string | null;
  /** Why, in the words of whoever did it. */
  reason: string | null;
  /** What it was and what it became, without secrets. */
  detail: JsonText;
  request_id: string | null;
  /** Hash of the row before, and of this one over it: SHA-256, hex. */
  previous_hash: string;
  hash: string;
}

/** Signed places of the audit log: what was written up to there is what is there. */
export interface AuditCheckpointsTable {
  /** The last row that it covers. */
  audit_id: number;
  hash: string;
  at_ms: Millis;
  /** Ed25519 over id, hash and time, base64. */
  signature: string;
}

/**
 * Every table of the control store, the same on SQLite and PostgreSQL. Whole-number columns are numbers in code (refused
 * beyond 2^53), except those whose name ends in `_nanos`: they are money and come as `bigint`.
 */
export interface Tables extends FleetTables, LedgerTables, CostTables, IdentityTables {
  settings: SettingsTable;
  audit: AuditTable;
  audit_checkpoints: AuditCheckpointsTable;
}

/** A row as it is read. */
export type Row<K extends keyof Tables> = Selectable<Tables[K]>;
/** A row as it is inserted. */
export type NewRow<K extends keyof Tables> = Insertable<Tables[K]>;
