import type { Kysely, Transaction } from "kysely";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import type { Tables } from "./tables.ts";

/** Where the control store is: a file (`:memory:` for tests), or `postgres://user@host/database`. */
export type StoreTarget = { readonly sqlite: string } | { readonly postgres: string };

/** The control store: registry, policies, audit, ledger. One schema and one query layer on SQLite and PostgreSQL. */
export interface Store {
  /** Queries. On SQLite a query blocks the event loop while it runs: keep them small. */
  readonly db: Kysely<Tables>;
  readonly dialect: "sqlite" | "postgres";
  /** Brings the schema up to date; returns the names of the migrations that ran, none when it already was. */
  migrate(): Promise<readonly string[]>;
  /**
   * One serializable transaction; durable when it resolves. `change` may run more than once (PostgreSQL asks for a repeat
   * when another writer was faster), so it must have no effect but on the store. Not to be nested.
   */
  write<T>(change: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Opens the store; the file's folder must exist. Call `migrate` before anything else. Throws `store_unavailable`; for a file
 * that is damaged or gone while facts lie beside it, `store_damaged` or `store_lost`, and leaves everything as it is.
 */
export async function openStore(target: StoreTarget): Promise<Store> {
  return "sqlite" in target ? openSqlite(target.sqlite) : openPostgres(target.postgres);
}
