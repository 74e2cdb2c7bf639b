import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unwritable } from "../write-output.ts";

/** Files `NAME.ndjson` in a folder, which is made when it is missing. Files that are there are never written over: `output_unwritable`. */
export async function openExportFiles(folder: string): Promise<(name: string, text: string) => Promise<void>> {
  const made = new Set<string>();
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw unwritable(folder, cause);
  });
  return async (name, text) => {
    const path = join(folder, `${name}.ndjson`);
    try {
      if (made.has(name)) await appendFile(path, text);
      else await writeFile(path, text, { flag: "wx" });
      made.add(name);
    } catch (cause) {
      throw unwritable(path, cause);
    }
  };
}
