import { createHash } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { copyFile, link, mkdir, open, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { BackedUpFile } from "./backup-manifest.ts";

/** Is there nothing at the path, or an empty folder? */
export async function isFree(path: string): Promise<boolean> {
  try {
    return (await readdir(path)).length === 0;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT";
  }
}

/** A second name of a file that never changes; a copy where the file system has none to give. False when it is not there. */
export async function linkOrCopy(from: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true });
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    return copyFlushed(from, to);
  }
}

/** A copy that is on the disk when it resolves. False when the file is not there. */
export async function copyFlushed(from: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true });
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  await flush(to);
  return true;
}

/** Size and hash of a file as they are. */
export async function describeFile(root: string, path: string): Promise<BackedUpFile> {
  const hash = createHash("sha256");
  let bytes = 0;
  await pipeline(createReadStream(join(root, path)), async (chunks) => {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      hash.update(chunk);
    }
  });
  return { path, bytes, sha256: hash.digest("hex") };
}

/** Flushes a file or the names in a folder. */
export async function flush(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Flushes a folder and every folder below it: the names of what was put there. */
export async function flushTree(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await flush(join(entry.parentPath, entry.name));
  await flush(root);
  await flush(dirname(root));
}

/** Removes a folder or file with all that is in it; nothing happens when it is not there. */
export function removeAll(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
