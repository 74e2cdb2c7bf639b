import { randomUUID } from "node:crypto";
import { access, constants, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { PlimsollError } from "@plimsoll/contracts";

/** Fails with output_unwritable at once where a file could not be written later, after minutes of reading. */
export async function checkOutput(path: string): Promise<void> {
  const kind = await stat(path).catch(() => undefined);
  if (kind?.isDirectory()) throw new PlimsollError("output_unwritable", { path, reason: IS_FOLDER });
  try {
    // A file is replaced by one of its folder; a device or pipe is written to itself.
    await access(kind === undefined || kind.isFile() ? dirname(path) : path, constants.W_OK);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

/**
 * Writes the file whole or not at all: an older report of that name stays until the new one is complete. A link is
 * followed; a device or pipe (/dev/null) is written to and never replaced.
 */
export async function writeOutput(path: string, content: string): Promise<void> {
  try {
    const kind = await stat(path).catch(() => undefined);
    if (kind !== undefined && !kind.isFile()) await writeFile(path, content);
    else await replaceFile(kind === undefined ? path : await realpath(path), content);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

async function replaceFile(path: string, content: string): Promise<void> {
  const part = `${path}.${randomUUID().slice(0, 8)}.part`;
  try {
    await writeFile(part, content);
    await rename(part, path);
  } catch (cause) {
    await rm(part, { force: true });
    throw cause;
  }
}

/** Why a place cannot be written, in words. */
export function unwritable(path: string, cause: unknown): PlimsollError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
  return new PlimsollError("output_unwritable", { path, reason: REASONS[code] ?? code }, { cause });
}

const IS_FOLDER = "it is a folder";
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "the folder does not exist",
  EEXIST: "it is there already",
  EACCES: "no permission",
  EROFS: "read-only file system",
  EISDIR: IS_FOLDER,
  ENOTDIR: "a part of the path is no folder",
  ENOSPC: "the disk is full",
};
