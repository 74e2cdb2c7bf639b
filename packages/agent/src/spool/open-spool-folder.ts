import { join } from "node:path";
import { openSpool } from "./disk-spool.ts";
import type { Spool, SpoolOptions } from "./spool.ts";
import { openFolder } from "./spool-files.ts";

/** Room that is set aside for a full disk, bytes: enough for gap records, new segments and merged batches of some size. */
const RESERVE_BYTES = 4 * 1024 * 1024;

/** What opening the spool of a folder needs; `reserveBytes` is for disks that are smaller than an agent's. */
export type SpoolFolderOptions = Omit<SpoolOptions, "files" | "reserve"> & { readonly reserveBytes?: number };

/** Opens the spool in a folder, which is made when it is missing: one folder for each kind. Rejects as `openSpool` does. */
export async function openSpoolFolder(path: string, options: SpoolFolderOptions): Promise<Spool> {
  const { reserveBytes = RESERVE_BYTES, ...more } = options;
  const files = {
    gap: await openFolder(join(path, "gap")),
    usage: await openFolder(join(path, "usage")),
    node: await openFolder(join(path, "node")),
    sample: await openFolder(join(path, "sample")),
  };
  return openSpool({ ...more, files, reserve: { files: await openFolder(path), bytes: reserveBytes } });
}
