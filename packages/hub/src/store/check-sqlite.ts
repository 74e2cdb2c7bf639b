import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { PlimsollError } from "@plimsoll/contracts";
import Database from "better-sqlite3";

/** Facts that a store beside them names. */
const SEGMENT_FOLDER = "segments";

/**
 * Looks at a store's file before anything may write to it. Throws `store_lost` when it is not there or empty although facts
 * lie beside it (a new, empty store would make them vanish), `store_damaged` when SQLite finds it damaged. Reads all of it:
 * about a second for 500 MB.
 */
export function checkSqlite(path: string): void {
  if (path === ":memory:") return;
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? null;
  if (!bytes) {
    const folder = join(dirname(path), SEGMENT_FOLDER);
    if (!hasFiles(folder)) return;
    throw new PlimsollError("store_lost", { store: path, state: bytes === null ? "missing" : "empty", folder });
  }
  const fault = faultOf(path);
  if (fault !== null) throw new PlimsollError("store_damaged", { store: path, reason: fault });
}

function hasFiles(folder: string): boolean {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile());
  } catch {
    return false;
  }
}

/** What SQLite says of the file; null = it is well, or cannot be opened now, which is told by whoever opens it. */
function faultOf(path: string): string | null {
  let database: Database.Database;
  try {
    // It does not merge the log into the file, so a damaged one stays as it was found.
    database = new Database(path, { readonly: true, fileMustExist: true });
  } catch {
    return null;
  }
  try {
    const found: unknown = database.pragma("quick_check(1)", { simple: true });
    return found === "ok" ? null : String(found).replaceAll("\n", " ");
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    return /^SQLITE_(CORRUPT|NOTADB)/.test(error.code) ? error.message : null;
  } finally {
    database.close();
  }
}
