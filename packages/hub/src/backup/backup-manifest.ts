import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PlimsollError } from "@plimsoll/contracts";
import { z } from "zod";

/** Name of the manifest in a backup. It is written last: a folder without one is no backup. */
export const MANIFEST_FILE = "manifest.json";
/** Name of the control store in a backup and in the data folder. */
export const STORE_FILE = "hub.sqlite";
/** Form of a backup: one that a release does not know is refused. */
export const BACKUP_FORM = 1;

const Count = z.number().int().nonnegative();

const BackedUpFile = z.object({
  /** Relative to the backup, and to the data folder. */
  path: z.string().regex(/^(?!.*(^|\/)\.\.(\/|$))[^/\\][^\\]*$/),
  bytes: Count,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
/** A file of a backup. */
export type BackedUpFile = z.infer<typeof BackedUpFile>;

const Manifest = z.object({
  form: Count,
  hubVersion: z.string(),
  /** UTC. Facts that were committed later are not in it. */
  takenAt: z.iso.datetime(),
  /** Is the key that secrets are sealed with in it? */
  withKeys: z.boolean(),
  counts: z.object({ clusters: Count, batches: Count, segments: Count, rows: Count, pricedHours: Count }),
  files: z.array(BackedUpFile),
  /** Segments that were missing or damaged in the hub already. */
  damaged: z.array(z.string()),
});
/** What a backup says of itself. */
export type BackupManifest = z.infer<typeof Manifest>;

/** The manifest of a backup in a folder. Throws `backup_unreadable`. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const unreadable = (reason: string) => new PlimsollError("backup_unreadable", { path: folder, reason });
  const text = await readFile(join(folder, MANIFEST_FILE), "utf8").catch(() => null);
  if (text === null) throw unreadable(`it has no ${MANIFEST_FILE}`);
  const { success, data, error } = Manifest.safeParse(parseJson(text));
  if (!success) throw unreadable(`${MANIFEST_FILE}: ${error.issues[0]?.path.join(".")} ${error.issues[0]?.message}`);
  if (data.form !== BACKUP_FORM) throw unreadable(`its form is ${data.form}, this release knows ${BACKUP_FORM}`);
  return data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
