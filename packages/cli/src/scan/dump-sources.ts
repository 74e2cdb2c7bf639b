import { readdir, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { type DumpProgress, readDump } from "@plimsoll/collect";
import { formatCount, formatQuantity } from "../format/quantity.ts";
import type { ClusterSource } from "./cluster-source.ts";

/**
 * One source per dump, each path once; a folder of dumps that `plimsoll dump` wrote stands for every dump in it. Nothing
 * else is read yet: what is no dump fails when it is read, as one row. A dump of the same name as another, or as one of
 * `taken`, goes by its path: errors are told by name.
 */
export async function dumpSources(paths: readonly string[], taken: readonly string[] = []): Promise<ClusterSource[]> {
  const expanded = (await Promise.all([...new Set(paths)].map(dumpsAt))).flat();
  const names = [...taken, ...expanded.map(shortName)];
  return expanded.map((path) => dumpSource(path, names.filter((name) => name === shortName(path)).length > 1));
}

function dumpSource(path: string, ambiguous: boolean): ClusterSource {
  // A bare "shop" as a path is still the name that somebody else has.
  const name = ambiguous && path === shortName(path) ? `./${path}` : path;
  return {
    name,
    endpoint: null,
    deadlineMs: undefined,
    async read(signal, step) {
      const progress = ({ bytes, objects }: DumpProgress) =>
        step(`${formatCount(objects)} objects, ${formatQuantity("bytes", BigInt(bytes))}`);
      const facts = await readDump(path, { signal, progress });
      return ambiguous ? { ...facts, name } : facts;
    },
  };
}

function shortName(path: string): string {
  return basename(resolve(path)).split(".")[0] ?? path;
}

/** The path itself, or the dumps directly below it when it is a folder of dumps and no dump of its own. */
async function dumpsAt(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  if (entries.some((entry) => entry.name === MANIFEST)) return [path];
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => join(path, entry.name));
  const dumps = await Promise.all(folders.map(isDump));
  return folders.length > 0 && dumps.every(Boolean) ? folders.sort() : [path];
}

async function isDump(folder: string): Promise<boolean> {
  return stat(join(folder, MANIFEST)).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** What marks a folder that `plimsoll dump` wrote. */
const MANIFEST = "manifest.json";
