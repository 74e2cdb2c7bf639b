import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PlimsollError } from "@plimsoll/contracts";
import Database from "better-sqlite3";

/** The folder of a hub, held by this process alone. */
export interface DataFolder {
  readonly path: string;
  release(): void;
}

const LOCK_FILE = "lock.sqlite";
const PID_FILE = "hub.pid";

/**
 * Makes the folder if it is missing and takes it for this process. The lock is the operating system's, so that a killed hub
 * leaves none behind. Throws `data_dir_unusable` or `data_dir_in_use`.
 */
export function takeDataFolder(path: string): DataFolder {
  const lock = openLock(path);
  const pidFile = join(path, PID_FILE);
  try {
    lock.pragma("locking_mode = EXCLUSIVE");
    lock.exec(
      "begin exclusive; create table if not exists held (once integer primary key); insert or replace into held values (1); commit",
    );
  } catch (cause) {
    lock.close();
    throw new PlimsollError("data_dir_in_use", { path, pid: pidOf(pidFile) }, { cause });
  }
  writeFileSync(pidFile, `${process.pid}\n`);
  return {
    path,
    release() {
      rmSync(pidFile, { force: true });
      lock.close();
    },
  };
}

function openLock(path: string): Database.Database {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chmodSync(path, 0o700);
    return new Database(join(path, LOCK_FILE), { timeout: 0 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PlimsollError("data_dir_unusable", { path, reason }, { cause });
  }
}

function pidOf(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "unknown";
  }
}
