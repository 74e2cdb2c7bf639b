import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Runs `work` while this process alone holds the lock file `path`. Waits for a living holder, calling `onWait` once with its
 * pid; takes over from a dead one. The lock is the file's existence, its content the holder's pid.
 *
 * Two processes that find a dead holder in the same instant may both enter: `work` must stay right when it runs twice
 * (build aside, rename at the end); the lock only spares the second run.
 */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  onWait: (holder: number) => void = () => {},
): Promise<T> {
  mkdirSync(dirname(path), { recursive: true });
  let told = false;
  while (!tryLock(path)) {
    const holder = readHolder(path);
    if (holder !== undefined && !isAlive(holder)) {
      rmSync(path, { force: true });
      continue;
    }
    if (holder !== undefined && !told) onWait(holder);
    told ||= holder !== undefined;
    await sleep(200);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryLock(path: string): boolean {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, path); // unlike open and write, the lock never exists without its content
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

function readHolder(path: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(path, "utf8"), 10);
    return Number.isNaN(pid) ? 0 : pid;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Does a process with this id exist? 0 and below are no process. */
export function isAlive(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error, "EPERM");
  }
}

/** Is `error` a system error with this code (ENOENT, EEXIST …)? */
function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
