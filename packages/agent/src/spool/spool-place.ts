import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PlimsollError } from "@plimsoll/contracts";
import { LANES } from "./spool.ts";
import type { SpoolFiles } from "./spool-files.ts";

/** Where a spool lies, and what belongs to it. */
export interface SpoolPlace {
  /** The folder of the state, with lock and quarantine. */
  readonly state: string;
  readonly spool: string;
  readonly lock: string;
  readonly quarantine: string;
}

/** The spool of an agent's state folder, or the folder `spool` of one. Throws `spool_not_found`. */
export async function findSpool(path: string): Promise<SpoolPlace> {
  for (const [state, spool] of [
    [path, join(path, "spool")],
    [dirname(path), path],
  ] as const) {
    const isThere = await Promise.all(LANES.map((kind) => isFolder(join(spool, kind))));
    if (!isThere.includes(true)) continue;
    return { state, spool, lock: join(state, "lock"), quarantine: join(state, "quarantine") };
  }
  throw new PlimsollError("spool_not_found", { path });
}

/** A folder that is only read; empty where there is none. A file that went meanwhile is empty. */
export function readOnlyFolder(path: string): Pick<SpoolFiles, "list" | "readAll"> {
  return {
    list: () => orIfMissing(listFiles(path), []),
    readAll: (name) => orIfMissing<Uint8Array>(readFile(join(path, name)), new Uint8Array()),
  };
}

async function listFiles(path: string): Promise<readonly string[]> {
  const found: Dirent[] = await readdir(path, { withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function isFolder(path: string): Promise<boolean> {
  return (await orIfMissing(stat(path), undefined))?.isDirectory() ?? false;
}

async function orIfMissing<T>(reading: Promise<T>, missing: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return missing;
    throw error;
  }
}
