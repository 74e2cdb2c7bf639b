import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { SegmentInfo } from "../ledger/segments.ts";
import type { SegmentKind } from "../store/tables-ledger.ts";
import type { Disk } from "./disk.ts";
import { literal } from "./duck.ts";

/** Folder of all segments, relative to the data directory. */
export const SEGMENT_FOLDER = "segments";

/** Files are sorted by cluster when they are merged: a question for one cluster reads the groups that it is in. */
const ROW_GROUP_ROWS = 20_480;

/** Rows of one hour that become one file. */
export interface HourRows {
  readonly kind: SegmentKind;
  readonly hourStartMs: number;
  readonly generation: number;
  readonly rows: number;
  /** Whose rows, with the revision (cost only, else 0). */
  readonly clusters: ReadonlyMap<string, number>;
  /** A query for the rows. */
  readonly select: string;
}

/** Where segments go. */
export interface SegmentDisk {
  readonly disk: Disk;
  readonly dataDir: string;
  /** Folders that this process has made and flushed. */
  readonly folders: Set<string>;
}

/** Writes one file for each hour, then flushes files and folders. When it resolves, all of it survives a power cut. */
export async function writeSegments(
  connection: DuckDBConnection,
  { disk, dataDir, folders }: SegmentDisk,
  hours: readonly HourRows[],
): Promise<readonly SegmentInfo[]> {
  const segments: SegmentInfo[] = [];
  const touched = new Set<string>();
  for (const { select, ...hour } of hours) {
    const folder = segmentFolder(hour.kind, hour.hourStartMs);
    if (!folders.has(folder)) await disk.makeFolder(dataDir, folder);
    folders.add(folder);
    touched.add(folder);
    const id = randomUUID();
    const path = `${folder}/${hourName(hour.hourStartMs)}-${id}.parquet`;
    await connection.run(
      `copy (${select}) to ${literal(join(dataDir, path))} (format parquet, compression zstd, row_group_size ${ROW_GROUP_ROWS})`,
    );
    segments.push({ id, path, ...hour, ...(await disk.flushFile(join(dataDir, path))) });
  }
  for (const folder of touched) await disk.flushFolder(join(dataDir, folder));
  return segments;
}

/** `segments/usage/2026-02-07`: a day of a kind. */
function segmentFolder(kind: SegmentKind, hourStartMs: number): string {
  return `${SEGMENT_FOLDER}/${kind}/${new Date(hourStartMs).toISOString().slice(0, 10)}`;
}

function hourName(hourStartMs: number): string {
  return new Date(hourStartMs).toISOString().slice(11, 13);
}
