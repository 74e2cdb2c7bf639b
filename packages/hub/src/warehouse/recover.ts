import { basename, join } from "node:path";
import {
  allPaths,
  brokenSegments,
  forgetGarbage,
  garbagePaths,
  type LiveSegment,
  liveSegmentsOfAllKinds,
  markLive,
} from "../ledger/segment-rows.ts";
import { Attempts } from "./attempts.ts";
import { bindFolder } from "./bind-folder.ts";
import { refuseMassLoss } from "./loss-brake.ts";
import { dropFaulty, faultOf, type SegmentFiles } from "./segment-reader.ts";
import type { WarehouseFault } from "./warehouse-port.ts";
import { SEGMENT_FOLDER } from "./write-segments.ts";

/** Files that no ledger row names, or that are damaged, kept for a person to look at. */
const ORPHAN_FOLDER = "orphans";

/**
 * Compares files and ledger after a start, before anything is written. A file without a row is what a crash left between
 * writing and commit: its batch was not acknowledged and comes again, so the file is moved aside. A row without a whole file
 * is a loss: it leaves the answers. Both are returned to be said. Throws `data_dir_foreign` or `segments_missing`, and changes
 * nothing, when the folder does not look like the one that the ledger is of.
 */
export async function recoverSegments(files: SegmentFiles): Promise<readonly WarehouseFault[]> {
  const faults: WarehouseFault[] = [];
  const said = {
    ...files,
    onFault: (fault: WarehouseFault) => {
      faults.push(fault);
      files.onFault(fault);
    },
  };
  await bindFolder(files, Date.now());
  const named = await liveSegmentsOfAllKinds(files.store.db);
  await refuseMassLoss(files, named);
  await reviveBroken(files);
  await moveOrphans(said);
  await dropFaulty(said, named, "ends");
  return faults;
}

/** Segments that were found broken and whose file is there again, as it was written, are part of answers again. */
export async function reviveBroken({ store, disk, dataDir }: SegmentFiles): Promise<void> {
  for (const segment of await brokenSegments(store.db)) {
    if ((await faultOf(disk, dataDir, segment, "whole")) === null) await markLive(store.db, segment.id);
  }
}

async function moveOrphans({ store, disk, dataDir, onFault }: SegmentFiles): Promise<void> {
  const named = new Set(await allPaths(store.db));
  const found = await disk.list(join(dataDir, SEGMENT_FOLDER));
  const strays = found.map((name) => `${SEGMENT_FOLDER}/${name}`).filter((path) => !named.has(path));
  if (strays.length > 0) await disk.makeFolder(dataDir, ORPHAN_FOLDER);
  for (const stray of strays) {
    const path = `${ORPHAN_FOLDER}/${basename(stray)}`;
    await disk.move(join(dataDir, stray), join(dataDir, path));
    onFault({ path, fault: "orphan", detail: `was ${stray}, which the ledger does not name` });
  }
}

/** Moves a damaged file aside; nothing happens when it is not there. */
export async function putAside({ disk, dataDir }: SegmentFiles, { path }: Pick<LiveSegment, "path">): Promise<void> {
  if ((await disk.probe(join(dataDir, path))) === null) return;
  await disk.makeFolder(dataDir, ORPHAN_FOLDER);
  await disk.move(join(dataDir, path), join(dataDir, ORPHAN_FOLDER, basename(path)));
}

/** Deletes files that left the ledger before `beforeMs`. Returns how many. */
export async function sweepGarbage({ store, disk, dataDir }: SegmentFiles, beforeMs: number): Promise<number> {
  const attempts = new Attempts();
  const removed: string[] = [];
  for (const path of await garbagePaths(store.db, beforeMs)) {
    await attempts.at(async () => {
      await disk.remove(join(dataDir, path));
      removed.push(path);
    });
  }
  await forgetGarbage(store.db, removed);
  attempts.end();
  return removed.length;
}
