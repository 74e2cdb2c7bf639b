import { randomBytes } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "../spool/spool-files.ts";

/** Replaces a file that only its owner can read; after a crash it is the old one or the new one, whole. */
export async function writePrivateFile(path: string, content: string | Uint8Array): Promise<void> {
  const made = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const handle = await open(made, "wx", 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(made, path);
  } catch (error) {
    await rm(made, { force: true }).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(path));
}

/** The bytes of a file; undefined when there is none. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
