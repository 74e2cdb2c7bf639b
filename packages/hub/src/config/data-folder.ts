import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { PlimsollError } from "@plimsoll/contracts";
import Database from "better-sqlite3";
import type { HubRole } from "./hub-config.ts";

/** The folder of a hub, held by this process alone in what it does there. */
export interface DataFolder {
  readonly path: string;
  /** Runs `work` while no other process of the folder is starting: what the first start makes is made once. */
  starting<T>(work: () => Promise<T>): Promise<T>;
  release(): void;
}

type Part = Exclude<HubRole, "all">;

const PARTS: Readonly<Record<HubRole, readonly Part[]>> = {
  all: ["control", "ingest"],
  control: ["control"],
  ingest: ["ingest"],
};
const START_LOCK = "start.lock";
/** Another process migrates the schema meanwhile, or makes its keys. */
const START_WITHIN_MS = 60_000;
const START_LOOKS_MS = 50;

/**
 * Makes the folder if it is missing and takes it for this process: one `control` and one `ingest` at a time, and `all` is
 * both. The locks are the operating system's, so that a killed hub leaves none behind. Throws `data_dir_unusable` or
 * `data_dir_in_use`.
 */
export function takeDataFolder(path: string, role: HubRole): DataFolder {
  const held: { release(): void }[] = [];
  const release = (): void => {
    for (const { release } of held.splice(0)) release();
  };
  try {
    for (const part of PARTS[role]) held.push(takePart(path, part));
  } catch (error) {
    release();
    throw error;
  }
  return { path, release, starting: (work) => whileLocked(path, work) };
}

function takePart(path: string, part: Part): { release(): void } {
  const lock = openLock(path, `${part}.lock`);
  const pidFile = join(path, `${part}.pid`);
  if (!lockNow(lock)) {
    lock.close();
    throw new PlimsollError("data_dir_in_use", { path, part, pid: pidOf(pidFile) });
  }
  writeFileSync(pidFile, `${process.pid}\n`);
  return {
    release() {
      rmSync(pidFile, { force: true });
      lock.close();
    },
  };
}

/** Looks again and again: waiting inside SQLite would stop this process, and whom it waits for may be in it too. */
async function whileLocked<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = openLock(path, START_LOCK);
  try {
    for (let waitedMs = 0; !lockNow(lock); waitedMs += START_LOOKS_MS) {
      if (waitedMs >= START_WITHIN_MS) {
        const reason = `another process has been starting in it for ${START_WITHIN_MS / 1000} s`;
        throw new PlimsollError("data_dir_unusable", { path, reason });
      }
      await wait(START_LOOKS_MS);
    }
    return await work();
  } finally {
    lock.close();
  }
}

/** False when another process holds it. */
function lockNow(lock: Database.Database): boolean {
  try {
    lock.pragma("locking_mode = EXCLUSIVE");
    lock.exec(
      "begin exclusive; create table if not exists held (once integer primary key); insert or replace into held values (1); commit",
    );
    return true;
  } catch (cause) {
    if (cause instanceof Database.SqliteError && cause.code.startsWith("SQLITE_BUSY")) return false;
    throw unusable(lock.name, cause);
  }
}

function openLock(path: string, file: string): Database.Database {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chmodSync(path, 0o700);
    return new Database(join(path, file), { timeout: 0 });
  } catch (cause) {
    throw unusable(path, cause);
  }
}

function unusable(path: string, cause: unknown): PlimsollError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new PlimsollError("data_dir_unusable", { path, reason }, { cause });
}

function pidOf(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "unknown";
  }
}
