import { createWriteStream, existsSync } from "node:fs";
import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { PlimsollError } from "@plimsoll/contracts";
import { packTar } from "modern-tar/fs";
import { ADMIN_TOKEN_FILE } from "../identity/admin-token.ts";
import { SEALING_KEY_FILE } from "../sealing/sealing.ts";
import { temporaryFolder } from "../warehouse/temporary-folder.ts";
import { copyFlushed, describeFile, flush, flushTree, isFree, linkOrCopy, removeAll } from "./backup-files.ts";
import { BACKUP_FORM, type BackedUpFile, type BackupManifest, MANIFEST_FILE, STORE_FILE } from "./backup-manifest.ts";
import { copyStore, readSnapshot, type StoreSnapshot } from "./store-snapshot.ts";

/** What to back up, and where to. */
export interface BackupOrder {
  /** Data folder of the hub, which may be running. */
  readonly dataDir: string;
  /** A folder that is not there or empty, or a file that is not there and ends in `.tar`. */
  readonly to: string;
  /** Also the key that secrets are sealed with, and the admin's token. */
  readonly withKeys: boolean;
  readonly hubVersion: string;
  readonly nowMs: number;
}

/** Copies of the store, until all of its segments were still there. */
const MAX_LOOKS = 3;
/** Where the meters of clusters that the hub reads itself go on. */
const CHECKPOINT_FOLDER = "pull";

/**
 * Backs up a hub, running or not: a copy of the control store of one moment, and exactly the segments that it names, each
 * checked against its hash. The files are held by second names while they are copied, so that upkeep may go on. What is not
 * complete has no manifest and another name. Throws `backup_source_missing`, `backup_target_taken`, `backup_failed`.
 */
export async function takeBackup(order: BackupOrder): Promise<BackupManifest> {
  const { dataDir, to } = order;
  if (!existsSync(join(dataDir, STORE_FILE))) throw new PlimsollError("backup_source_missing", { path: dataDir });
  if (!(await isFree(to))) throw new PlimsollError("backup_target_taken", { path: to });
  const draft = `${to}.partial-${process.pid}`;
  const held = temporaryFolder(dataDir);
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 });
    await mkdir(held, { recursive: true, mode: 0o700 });
    const manifest = await fill(order, draft, held);
    await (to.endsWith(".tar") ? packInto(draft, to) : moveInto(draft, to));
    return manifest;
  } catch (cause) {
    if (cause instanceof PlimsollError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PlimsollError("backup_failed", { path: to, reason }, { cause });
  } finally {
    await removeAll(held);
    await removeAll(draft);
  }
}

async function fill(order: BackupOrder, draft: string, held: string): Promise<BackupManifest> {
  const { dataDir, hubVersion, withKeys, nowMs } = order;
  // Before the store: a meter must not go on from behind what the store has of it. What it tells again is known there.
  const besides = await copyBesides(order, draft, await checkpoints(dataDir));
  const { snapshot, missing } = await hold(dataDir, draft, held);
  const damaged = [...missing];
  const files: BackedUpFile[] = [await describeFile(draft, STORE_FILE), ...besides];
  for (const { path, bytes, sha256 } of snapshot.segments) {
    if (missing.includes(path)) continue;
    await linkOrCopy(join(held, path), join(draft, path));
    const file = await describeFile(draft, path);
    if (file.sha256 === sha256 && file.bytes === bytes) files.push(file);
    else {
      damaged.push(path);
      await removeAll(join(draft, path));
    }
  }
  files.push(...(await copyBesides(order, draft, withKeys ? [SEALING_KEY_FILE, ADMIN_TOKEN_FILE] : [])));
  const takenAt = new Date(nowMs).toISOString();
  const { counts } = snapshot;
  const manifest: BackupManifest = { form: BACKUP_FORM, hubVersion, takenAt, withKeys, counts, files, damaged };
  await writeFile(join(draft, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  await flush(join(draft, MANIFEST_FILE));
  return manifest;
}

/** Copies those of some files that are there. */
async function copyBesides(
  { dataDir }: BackupOrder,
  draft: string,
  paths: readonly string[],
): Promise<readonly BackedUpFile[]> {
  const files: BackedUpFile[] = [];
  for (const path of paths) {
    if (await copyFlushed(join(dataDir, path), join(draft, path))) files.push(await describeFile(draft, path));
  }
  return files;
}

/**
 * Copies the store and holds its segments. One that is gone was dropped between the two: then the next copy does not name it;
 * what the last copy still names is missing in the hub itself.
 */
async function hold(
  dataDir: string,
  draft: string,
  held: string,
): Promise<{ readonly snapshot: StoreSnapshot; readonly missing: readonly string[] }> {
  for (let look = 1; ; look += 1) {
    await removeAll(join(draft, STORE_FILE));
    await removeAll(held);
    copyStore(join(dataDir, STORE_FILE), join(draft, STORE_FILE));
    await flush(join(draft, STORE_FILE));
    const snapshot = readSnapshot(join(draft, STORE_FILE));
    const missing: string[] = [];
    for (const { path } of snapshot.segments) {
      if (!(await linkOrCopy(join(dataDir, path), join(held, path)))) missing.push(path);
    }
    if (missing.length === 0 || look === MAX_LOOKS) return { snapshot, missing };
  }
}

async function checkpoints(dataDir: string): Promise<readonly string[]> {
  const names = await readdir(join(dataDir, CHECKPOINT_FOLDER)).catch(() => []);
  return names.filter((name) => name.endsWith(".json")).map((name) => `${CHECKPOINT_FOLDER}/${name}`);
}

async function moveInto(draft: string, to: string): Promise<void> {
  await flushTree(draft);
  // An empty folder gives way.
  await rename(draft, to);
  await flush(dirname(to));
}

async function packInto(draft: string, to: string): Promise<void> {
  const file = `${draft}.tar`;
  try {
    await pipeline(packTar(draft), createWriteStream(file, { mode: 0o600 }));
    await flush(file);
    await rename(file, to);
    await flush(dirname(to));
  } finally {
    await removeAll(file);
  }
}
