import { join } from "node:path";
import { type LiveSegment, liveSegments, markBroken, type SegmentFilter } from "../ledger/segment-rows.ts";
import type { SegmentFault } from "../ledger/segments.ts";
import type { Store } from "../store/store.ts";
import type { Disk } from "./disk.ts";
import { literals } from "./duck.ts";
import type { SegmentDisk } from "./write-segments.ts";

/** What reading needs. */
export interface SegmentFiles extends SegmentDisk {
  readonly store: Store;
  /** Hears of files that left the answers because they are missing or damaged. */
  readonly onFault: (fault: SegmentFault) => void;
}

/** The end of every Parquet file. */
const PARQUET_TAIL = "PAR1";

/**
 * Runs a query over the files that the ledger names for a filter; `source` goes behind `from`. No files: `none`. When it
 * fails, files that are missing or damaged are taken out of the answers, once, and said so; the query is then repeated over
 * what the ledger names now (files are also exchanged while a query is on its way).
 */
export async function readSegments<T>(
  files: SegmentFiles,
  filter: SegmentFilter,
  none: T,
  query: (source: string) => Promise<T>,
): Promise<T> {
  const segments = await liveSegments(files.store.db, filter);
  if (segments.length === 0) return none;
  try {
    return await query(sourceOf(files.dataDir, segments));
  } catch {
    await dropFaulty(files, segments);
    const rest = await liveSegments(files.store.db, filter);
    return rest.length === 0 ? none : query(sourceOf(files.dataDir, rest));
  }
}

/** The files as something to select from. Columns go by name: a later release may write more of them. */
export function sourceOf(dataDir: string, segments: readonly Pick<LiveSegment, "path">[]): string {
  const paths = segments.map(({ path }) => join(dataDir, path));
  return `read_parquet([${literals(paths)}], union_by_name = true)`;
}

/** Takes files that are missing or damaged out of the answers. */
export async function dropFaulty(
  { store, disk, dataDir, onFault }: SegmentFiles,
  segments: readonly LiveSegment[],
): Promise<readonly SegmentFault[]> {
  const faults: SegmentFault[] = [];
  for (const segment of segments) {
    const fault = await faultOf(disk, dataDir, segment);
    if (fault === null || !(await markBroken(store.db, segment.id))) continue;
    faults.push(fault);
    onFault(fault);
  }
  return faults;
}

async function faultOf(disk: Disk, dataDir: string, { path, bytes }: LiveSegment): Promise<SegmentFault | null> {
  const found = await disk.probe(join(dataDir, path));
  if (found === null) return { path, fault: "missing", detail: `the ledger names it with ${bytes} bytes` };
  if (found.bytes !== bytes) return { path, fault: "damaged", detail: `has ${found.bytes} bytes, not ${bytes}` };
  return found.tail === PARQUET_TAIL ? null : { path, fault: "damaged", detail: "does not end like a Parquet file" };
}
