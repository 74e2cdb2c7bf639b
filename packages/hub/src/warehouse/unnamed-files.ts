import { join } from "node:path";
import { PlimsollError } from "@plimsoll/contracts";
import { pathsNamed } from "../ledger/segment-rows.ts";
import type { Store } from "../store/store.ts";
import { Attempts } from "./attempts.ts";
import type { Written } from "./warehouse-port.ts";
import type { SegmentDisk } from "./write-segments.ts";

/** A commit whose end nobody heard of is over by then: it was made, or never will be. */
const DOUBT_MS = 5 * 60_000;

/** Was the commit refused for certain? Any other failure may have come after it was made. */
export function isRefused(error: unknown): boolean {
  return error instanceof PlimsollError && error.code === "ledger_moved";
}

/** Lets rows go whose commit failed: at once when it was refused for certain, else once it is known that they do not count. */
export async function letGo(written: Written, error: unknown): Promise<void> {
  await (isRefused(error) ? written.discard() : written.abandon());
}

/** Removes files that no commit names or ever will. What cannot be removed is tried again by upkeep. */
export async function removeFiles(
  { disk, dataDir, abandoned }: SegmentDisk,
  files: readonly { readonly path: string }[],
): Promise<void> {
  for (const { path } of files) {
    await disk.remove(join(dataDir, path)).catch(() => abandoned.set(path, null));
  }
}

/**
 * Deletes abandoned files that the ledger does not name some minutes after they were first seen here. Only files that this
 * process wrote itself: what else is unnamed is put right at the next start.
 */
export async function sweepAbandoned(files: SegmentDisk & { readonly store: Store }, nowMs: number): Promise<void> {
  const { abandoned, store, disk, dataDir } = files;
  const due: string[] = [];
  for (const [path, sinceMs] of abandoned) {
    if (sinceMs === null) abandoned.set(path, nowMs);
    else if (nowMs - sinceMs >= DOUBT_MS) due.push(path);
  }
  const named = new Set(await pathsNamed(store.db, due));
  const attempts = new Attempts();
  for (const path of due) {
    await attempts.at(async () => {
      if (!named.has(path)) await disk.remove(join(dataDir, path));
      abandoned.delete(path);
    });
  }
  attempts.end();
}
