import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { SegmentInfo } from "../ledger/segments.ts";
import type { SegmentKind } from "../store/tables-ledger.ts";
import type { Disk } from "./disk.ts";
import { literal } from "./duck.ts";
import { removeFiles } from "./unnamed-files.ts";

/** Folder of all segments, relative to the data directory. */
export const SEGMENT_FOLDER = "segments";

/** Files are sorted when they are merged: a question for one cluster reads the groups that it is in. */
const ROW_GROUP_ROWS = 20_480;
/** Rows of a commit come in the order of their batches: small groups would only repeat the texts of all clusters. */
const UNMERGED_ROW_GROUP_ROWS = 122_880;

/** Rows that become one file. */
export interface SegmentRows extends Omit<SegmentInfo, "id" | "path" | "bytes" | "sha256"> {
  /** A query for the rows. */
  readonly select: string;
}

/** Where segments go. */
export interface SegmentDisk {
  readonly disk: Disk;
  readonly dataDir: string;
  /** Folders that this process has made and flushed. */
  readonly folders: Set<string>;
  /** Files of this process whose commit failed, maybe after it was made, with the time that upkeep first saw them. */
  readonly abandoned: Map<string, number | null>;
}

/**
 * Writes files, then flushes them and their folders. When it resolves, all of it survives a power cut; when it fails, none of
 * it is left.
 */
export async function writeSegments(
  connection: DuckDBConnection,
  target: SegmentDisk,
  parts: readonly SegmentRows[],
): Promise<readonly SegmentInfo[]> {
  const segments: SegmentInfo[] = [];
  try {
    for (const { select, ...part } of parts) {
      const file = await writeFile(connection, target, part, select);
      segments.push({ ...part, ...file });
    }
    await flushFolders(target, segments);
  } catch (error) {
    await removeFiles(target, segments);
    throw error;
  }
  return segments;
}

/** Writes and flushes one file. Its name is safe only after `flushFolders`. Nothing is left of one that fails. */
export async function writeFile(
  connection: DuckDBConnection,
  target: SegmentDisk,
  { kind, hourStartMs, generation }: Pick<SegmentInfo, "kind" | "hourStartMs" | "generation">,
  select: string,
): Promise<Pick<SegmentInfo, "id" | "path" | "bytes" | "sha256">> {
  const { disk, dataDir, folders } = target;
  const folder = segmentFolder(kind, hourStartMs);
  if (!folders.has(folder)) await disk.makeFolder(dataDir, folder);
  folders.add(folder);
  const id = randomUUID();
  const path = `${folder}/${new Date(hourStartMs).toISOString().slice(11, 13)}-${id}.parquet`;
  const groupRows = generation === 0 ? UNMERGED_ROW_GROUP_ROWS : ROW_GROUP_ROWS;
  try {
    await connection.run(
      `copy (${select}) to ${literal(join(dataDir, path))} (format parquet, compression zstd, row_group_size ${groupRows})`,
    );
    return { id, path, ...(await disk.flushFile(join(dataDir, path))) };
  } catch (error) {
    await removeFiles(target, [{ path }]);
    throw error;
  }
}

/** Flushes the names of files. */
export async function flushFolders(
  { disk, dataDir }: SegmentDisk,
  files: readonly Pick<SegmentInfo, "kind" | "hourStartMs">[],
): Promise<void> {
  const folders = new Set(files.map(({ kind, hourStartMs }) => segmentFolder(kind, hourStartMs)));
  for (const folder of folders) await disk.flushFolder(join(dataDir, folder));
}

/** `segments/usage/2026-02-07`: a day of a kind. */
function segmentFolder(kind: SegmentKind, hourStartMs: number): string {
  return `${SEGMENT_FOLDER}/${kind}/${new Date(hourStartMs).toISOString().slice(0, 10)}`;
}
