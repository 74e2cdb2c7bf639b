import { createReadStream } from "node:fs";
import { mkdir, readdir, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { PlimsollError } from "@plimsoll/contracts";
import { type UnpackOptionsFS, unpackTar } from "modern-tar/fs";
import { copyFlushed, describeFile, flush, flushTree, isFree, removeAll } from "./backup-files.ts";
import { type BackedUpFile, type BackupManifest, MANIFEST_FILE, readManifest, STORE_FILE } from "./backup-manifest.ts";
import { markRestored } from "./store-snapshot.ts";

/** Which backup becomes which data folder. */
export interface RestoreOrder {
  /** Folder or `.tar` file of a backup. */
  readonly from: string;
  /** A folder that is not there, or empty. */
  readonly dataDir: string;
  readonly nowMs: number;
}

/** Links and devices are in no backup. */
const UNPACK: UnpackOptionsFS = {
  fmode: 0o600,
  dmode: 0o700,
  filter: ({ type }) => type === "file" || type === "directory",
};

/**
 * Makes a data folder of a backup: every file is checked against the manifest, and the folder appears whole or not at all. The
 * store remembers that it was restored; what agents delivered after the backup and no longer hold becomes a gap when they
 * say so. Throws `restore_target_taken`, `backup_unreadable`, `backup_damaged`.
 */
export async function restoreBackup({ from, dataDir, nowMs }: RestoreOrder): Promise<BackupManifest> {
  if (!(await isFree(dataDir))) throw new PlimsollError("restore_target_taken", { path: dataDir });
  const draft = `${dataDir}.restoring-${process.pid}`;
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 });
    const manifest = await ((await isFolder(from)) ? copyInto(from, draft) : unpackInto(from, draft));
    markRestored(join(draft, STORE_FILE), Date.parse(manifest.takenAt), nowMs);
    await flush(join(draft, STORE_FILE));
    await flushTree(draft);
    await rename(draft, dataDir);
    await flush(dirname(dataDir));
    return manifest;
  } finally {
    await removeAll(draft);
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  return found.isDirectory();
}

async function copyInto(from: string, draft: string): Promise<BackupManifest> {
  const manifest = await readManifest(from);
  for (const file of manifest.files) {
    if (!(await copyFlushed(join(from, file.path), join(draft, file.path)))) throw damaged(from, file, "is missing");
    await check(from, draft, file);
  }
  return manifest;
}

async function unpackInto(from: string, draft: string): Promise<BackupManifest> {
  try {
    await pipeline(createReadStream(from), unpackTar(draft, UNPACK));
  } catch (cause) {
    throw unreadable(from, cause);
  }
  const manifest = await readManifest(draft);
  await removeAll(join(draft, MANIFEST_FILE));
  for (const file of manifest.files) await check(from, draft, file);
  await refuseOthers(from, draft, manifest);
  return manifest;
}

async function check(from: string, draft: string, file: BackedUpFile): Promise<void> {
  const found = await describeFile(draft, file.path).catch(() => null);
  if (found === null) throw damaged(from, file, "is missing");
  if (found.bytes !== file.bytes) throw damaged(from, file, `has ${found.bytes} bytes, not ${file.bytes}`);
  if (found.sha256 !== file.sha256) throw damaged(from, file, "has another content than when it was backed up");
  await flush(join(draft, file.path));
}

/** Nothing that the manifest does not name comes into a data folder. */
async function refuseOthers(from: string, draft: string, { files }: BackupManifest): Promise<void> {
  const named = new Set(files.map(({ path }) => path));
  const entries = await readdir(draft, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = `${entry.parentPath}/${entry.name}`.slice(draft.length + 1);
    if (entry.isDirectory() || named.has(path)) continue;
    throw new PlimsollError("backup_damaged", { path: from, file: path, reason: "is not in its manifest" });
  }
}

function damaged(from: string, { path }: BackedUpFile, reason: string): PlimsollError {
  return new PlimsollError("backup_damaged", { path: from, file: path, reason });
}

function unreadable(path: string, cause: unknown): PlimsollError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new PlimsollError("backup_unreadable", { path, reason }, { cause });
}
