import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { writePrivateFile } from "../state/private-file.ts";

/** Where batches that the hub refuses for good, and damaged bytes of the spool, are put aside for people. */
export interface QuarantineFolder {
  /** Keeps bytes under a name; the oldest give way when there are too many. Never rejects. */
  keep(name: string, bytes: Uint8Array): Promise<void>;
  /** How many were put aside since the start. */
  readonly kept: number;
}

/** Files and bytes that are kept at most. */
const MOST = { files: 200, bytes: 32 * 1024 * 1024 };

/** A folder that is made when the first thing is put aside. */
export function createQuarantineFolder(path: string): QuarantineFolder {
  let kept = 0;
  return {
    async keep(name, bytes) {
      kept += 1;
      try {
        await mkdir(path, { recursive: true, mode: 0o700 });
        await writePrivateFile(join(path, name.replace(/[^-.\w@]/g, "_")), bytes);
        await makeRoom(path);
      } catch {
        // A disk that does not take it: it is counted, and the hub has it too.
      }
    },
    get kept() {
      return kept;
    },
  };
}

async function makeRoom(path: string): Promise<void> {
  const names = await readdir(path);
  const files = await Promise.all(names.map(async (name) => ({ name, ...(await sizeOf(join(path, name))) })));
  const oldestFirst = files.toSorted((a, b) => a.mtimeMs - b.mtimeMs);
  let bytes = files.reduce((sum, { size }) => sum + size, 0);
  for (const [index, { name, size }] of oldestFirst.entries()) {
    if (files.length - index <= MOST.files && bytes <= MOST.bytes) return;
    await rm(join(path, name), { force: true });
    bytes -= size;
  }
}

async function sizeOf(path: string): Promise<{ readonly size: number; readonly mtimeMs: number }> {
  const { size, mtimeMs } = await stat(path);
  return { size, mtimeMs };
}
