import { PlimsollError } from "@plimsoll/contracts";
import Database from "better-sqlite3";
import {
  type DialectAdapter,
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from "kysely";
import { checkSqlite } from "./check-sqlite.ts";
import { migrateToLatest } from "./migrate.ts";
import type { Store } from "./store.ts";
import type { Tables } from "./tables.ts";
import { WholeNumbersPlugin } from "./whole-numbers-plugin.ts";

/** How long another process may hold the write lock. */
const BUSY_TIMEOUT_MS = 10_000;
const MAX_STATEMENTS = 500;

/** The store in one file. Every commit is flushed to disk before it resolves (WAL, `synchronous=FULL`). */
export function openSqlite(path: string): Store {
  checkSqlite(path);
  const database = openDatabase(path);
  const db = new Kysely<Tables>({
    dialect: new AtomicSchemaDialect({ database: withOneLock(database) }),
    plugins: [new WholeNumbersPlugin()],
  });
  return {
    db,
    dialect: "sqlite",
    migrate: () => migrateToLatest(db, "sqlite"),
    write: (change) => db.transaction().execute(change),
    close: async () => {
      await db.destroy();
      // Kysely leaves a database open that nobody asked anything.
      database.close();
    },
  };
}

/** SQLite changes its schema in transactions: a migration and its record are one commit, so a crash leaves neither or both. */
class AtomicSchemaAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class AtomicSchemaDialect extends SqliteDialect {
  override createAdapter(): DialectAdapter {
    return new AtomicSchemaAdapter();
  }
}

function openDatabase(path: string): Database.Database {
  try {
    const database = new Database(path, { timeout: BUSY_TIMEOUT_MS });
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = FULL");
    database.pragma("foreign_keys = ON");
    database.pragma("trusted_schema = OFF");
    return database.defaultSafeIntegers(true);
  } catch (cause) {
    throw new PlimsollError("store_unavailable", { store: path, reason: reasonOf(cause) }, { cause });
  }
}

/**
 * The database as Kysely sees it: statements are prepared once, and a transaction takes the write lock when it begins, so
 * that it can never fail half-way because another process wrote in between.
 */
function withOneLock(database: Database.Database): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare: (text) => {
      const sql = text === "begin" ? "begin immediate" : text;
      const known = prepared.get(sql);
      if (known) return known;
      const statement = database.prepare<unknown[]>(sql);
      if (prepared.size >= MAX_STATEMENTS) prepared.clear();
      prepared.set(sql, statement);
      return statement;
    },
  };
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
