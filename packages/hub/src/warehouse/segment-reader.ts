import { join } from "node:path";
import { type LiveSegment, liveSegments, markBroken, type SegmentFilter } from "../ledger/segment-rows.ts";
import type { Store } from "../store/store.ts";
import type { Disk } from "./disk.ts";
import { literals, unavailable } from "./duck.ts";
import type { WarehouseFault } from "./warehouse-port.ts";
import type { SegmentDisk } from "./write-segments.ts";

/** What reading needs. */
export interface SegmentFiles extends SegmentDisk {
  readonly store: Store;
  /** True: this process changes neither files nor ledger; the writer finds what is damaged. */
  readonly readOnly: boolean;
  /** Hears of files that left the answers because they are missing or damaged. */
  readonly onFault: (fault: WarehouseFault) => void;
}

/** The end of every Parquet file. */
const PARQUET_TAIL = "PAR1";

/**
 * Runs a query over the files that the ledger names for a filter; `source` goes behind `from`. No files: `none`. When it
 * fails, files that are missing or damaged are taken out of the answers, once, and said so; the query is then repeated over
 * what the ledger names now (files are also exchanged while a query is on its way).
 */
export function readSegments<T>(
  files: SegmentFiles,
  filter: SegmentFilter,
  none: T,
  query: (source: string) => Promise<T>,
): Promise<T> {
  return readListed(files, filter, none, (segments) => query(sourceOf(files.dataDir, segments)));
}

/** `readSegments` for a query that looks at the files one by one. */
export async function readListed<T>(
  files: SegmentFiles,
  filter: SegmentFilter,
  none: T,
  query: (segments: readonly LiveSegment[]) => Promise<T>,
): Promise<T> {
  const segments = await liveSegments(files.store.db, filter);
  if (segments.length === 0) return none;
  try {
    return await query(segments);
  } catch (error) {
    const faulty = await faultyOf(files, segments, error);
    const rest = (await liveSegments(files.store.db, filter)).filter(({ id }) => !faulty.has(id));
    return rest.length === 0 ? none : query(rest);
  }
}

/** The files as something to select from. Columns go by name: a later release may write more of them. */
export function sourceOf(dataDir: string, segments: readonly Pick<LiveSegment, "path">[]): string {
  const paths = segments.map(({ path }) => join(dataDir, path));
  return `read_parquet([${literals(paths)}], union_by_name = true)`;
}

/** Segments to leave out, by id. What looks whole is read through only when the engine found the data itself wrong. */
async function faultyOf(
  files: SegmentFiles,
  segments: readonly LiveSegment[],
  error: unknown,
): Promise<ReadonlySet<string>> {
  const atOnce = await dropFaulty(files, segments, "ends");
  const faulty = atOnce.length > 0 || !isOfData(error) ? atOnce : await dropFaulty(files, segments, "whole");
  return new Set(faulty);
}

/** Memory, time and connections are no fault of a file. */
function isOfData(error: unknown): boolean {
  return error instanceof Error && !/out of memory|interrupted|connection/i.test(error.message);
}

/**
 * Takes files that are missing or damaged out of the answers: by their `ends` (size and last bytes), or by the hash of the
 * `whole`. Returns their ids. Throws `warehouse_unavailable` when a file cannot be looked at: that says nothing about it.
 */
export async function dropFaulty(
  { store, disk, dataDir, onFault, readOnly }: SegmentFiles,
  segments: readonly LiveSegment[],
  look: "ends" | "whole",
): Promise<readonly string[]> {
  const faulty: string[] = [];
  for (const segment of segments) {
    const fault = await faultOf(disk, dataDir, segment, look);
    if (fault === null) continue;
    // Another may have dropped it, rightly, since it was listed.
    if (!readOnly && !(await markBroken(store.db, segment.id))) continue;
    faulty.push(segment.id);
    onFault(fault);
  }
  return faulty;
}

/** What is wrong with a segment's file; null when it is as it was written. Throws `warehouse_unavailable`. */
export async function faultOf(
  disk: Disk,
  dataDir: string,
  segment: SegmentContent,
  look: "ends" | "whole",
): Promise<WarehouseFault | null> {
  try {
    return await lookAt(disk, dataDir, segment, look);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw unavailable("read", new Error(`${segment.path}: ${reason}`, { cause }));
  }
}

/** What a file should hold. */
type SegmentContent = Pick<LiveSegment, "path" | "bytes" | "sha256">;

async function lookAt(
  disk: Disk,
  dataDir: string,
  { path, bytes, sha256 }: SegmentContent,
  look: "ends" | "whole",
): Promise<WarehouseFault | null> {
  const found = await disk.probe(join(dataDir, path));
  if (found === null) return { path, fault: "missing", detail: `the ledger names it with ${bytes} bytes` };
  if (found.bytes !== bytes) return { path, fault: "damaged", detail: `has ${found.bytes} bytes, not ${bytes}` };
  if (found.tail !== PARQUET_TAIL) return { path, fault: "damaged", detail: "does not end like a Parquet file" };
  if (look === "ends" || (await disk.hash(join(dataDir, path))) === sha256) return null;
  return { path, fault: "damaged", detail: "its content is not what was written" };
}
