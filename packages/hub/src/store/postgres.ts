import { PlimsollError } from "@plimsoll/contracts";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { migrateToLatest } from "./migrate.ts";
import type { Store } from "./store.ts";
import type { Tables } from "./tables.ts";
import { WholeNumbersPlugin } from "./whole-numbers-plugin.ts";

const MAX_CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 10_000;
/** Repeats of a transaction that lost a race; each winner made progress, so more are a sign of something else. */
const MAX_REPEATS = 10;
/** SQLSTATE serialization_failure and deadlock_detected: the same transaction may succeed when it is repeated. */
const REPEATABLE = new Set(["40001", "40P01"]);

/** The store in PostgreSQL 13 or newer. Throws `store_unavailable` when it does not answer. */
export async function openPostgres(url: string): Promise<Store> {
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: "plimsoll-hub",
    types: { getTypeParser },
  });
  // A connection that dies while it is idle is replaced by the pool; without a listener it would end the process.
  pool.on("error", () => undefined);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: [new WholeNumbersPlugin()] });
  await checkConnection(pool, url, db);
  return {
    db,
    dialect: "postgres",
    migrate: () => migrateToLatest(db, "postgres"),
    write: (change) =>
      repeated(() =>
        db
          .transaction()
          .setIsolationLevel("serializable")
          .execute((trx) => change(trx)),
      ),
    close: () => db.destroy(),
  };
}

async function checkConnection(pool: pg.Pool, url: string, db: Kysely<Tables>): Promise<void> {
  try {
    await pool.query("select 1");
  } catch (cause) {
    await db.destroy();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PlimsollError("store_unavailable", { store: withoutPassword(url), reason }, { cause });
  }
}

async function repeated<T>(run: () => Promise<T>): Promise<T> {
  for (let repeat = 0; ; repeat += 1) {
    try {
      return await run();
    } catch (error) {
      if (repeat >= MAX_REPEATS || !isRepeatable(error)) throw error;
    }
  }
}

function isRepeatable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && REPEATABLE.has(error.code ?? "");
}

/** Whole numbers come as `bigint`, exact, and are narrowed by `WholeNumbersPlugin`; everything else as pg reads it. */
function getTypeParser(oid: number, format?: "text" | "binary"): (value: string) => unknown {
  if (oid === pg.types.builtins.INT8) return (value) => BigInt(value);
  // A sum of whole numbers is a numeric.
  if (oid === pg.types.builtins.NUMERIC) return (value) => (/^-?\d+$/.test(value) ? BigInt(value) : value);
  return format === "binary" ? pg.types.getTypeParser(oid, "binary") : pg.types.getTypeParser(oid, "text");
}

function withoutPassword(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return "postgres";
  return `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
}
