import type { Generated, Insertable, Selectable } from "kysely";
import type { CostTables } from "./tables-cost.ts";
import type { FleetTables } from "./tables-fleet.ts";
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
  /** Grows; order of the log. */
  id: Generated<number>;
  at_ms: Millis;
  actor: string;
  verb: string;
  /** What it was done to: `cluster`, `join-token`, … */
  thing: string;
  /** Its id or name; null = the whole kind. */
  thing_id: string | null;
  cluster_id: string | null;
  outcome: "allowed" | "refused" | "failed";
  reason: string | null;
  /** What changed, without secrets. */
  detail: JsonText;
  request_id: string | null;
}

/**
 * Every table of the control store, the same on SQLite and PostgreSQL. Whole-number columns are numbers in code (refused
 * beyond 2^53), except those whose name ends in `_nanos`: they are money and come as `bigint`.
 */
export interface Tables extends FleetTables, LedgerTables, CostTables {
  settings: SettingsTable;
  audit: AuditTable;
}

/** A row as it is read. */
export type Row<K extends keyof Tables> = Selectable<Tables[K]>;
/** A row as it is inserted. */
export type NewRow<K extends keyof Tables> = Insertable<Tables[K]>;
