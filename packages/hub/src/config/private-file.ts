import { chmod, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Only the hub's own user may read what holds a secret. */
const OWNER_ONLY = 0o600;

/** Writes a file that only this user may read; whole or not at all, on disk when it resolves. */
export async function writePrivateFile(path: string, content: string | Uint8Array): Promise<void> {
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  const file = await open(draft, "wx", OWNER_ONLY);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The file's text; undefined when there is none. One that others may read is closed to them. */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  try {
    const text = await readFile(path, "utf8");
    await chmod(path, OWNER_ONLY);
    return text;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
