import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const ROOT = join(import.meta.dirname, "../..");

/** The page built from the sources as they are, in a folder of its own: a hub beside may be serving the other one. */
export interface BuiltPage {
  readonly folder: string;
  remove(): void;
}

/** Builds the page. Takes seconds. */
export async function buildPage(): Promise<BuiltPage> {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-page-"));
  const vite = join(ROOT, "node_modules/vite/bin/vite.js");
  await promisify(execFile)(process.execPath, [
    vite,
    "build",
    join(ROOT, "packages/ui"),
    "--config",
    join(ROOT, "packages/ui/vite.config.ts"),
    "--outDir",
    folder,
    "--emptyOutDir",
  ]);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
