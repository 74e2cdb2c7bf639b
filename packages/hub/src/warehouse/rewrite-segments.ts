import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { PlimsollError } from "@plimsoll/contracts";
import { type CountedHour, countedHours, exchangeSegments } from "../ledger/exchange-segments.ts";
import type { LiveSegment } from "../ledger/segment-rows.ts";
import type { SegmentInfo } from "../ledger/segments.ts";
import { type Duck, isOutOfMemory, queryRows, unavailable } from "./duck.ts";
import { endOf } from "./end-of.ts";
import { clusterRanges, inSteps, ofRange, STEP_ROWS } from "./in-steps.ts";
import { FACT_KEYS, newestOf } from "./newest.ts";
import { bytesOf, MAX_SEGMENT_BYTES } from "./plan-merges.ts";
import type { QueryRow } from "./query-row.ts";
import { dropFaulty, type SegmentFiles, sourceOf } from "./segment-reader.ts";
import { StagedTable } from "./staged-table.ts";
import { isRefused, letGo, removeFiles } from "./unnamed-files.ts";
import type { WarehouseKind } from "./warehouse-port.ts";
import { flushFolders, writeFile } from "./write-segments.ts";
import { writtenSegments } from "./written-segments.ts";

/** Files of one kind and day that are written anew. */
export interface Rewrite {
  readonly kind: WarehouseKind;
  readonly segments: readonly LiveSegment[];
  /** Rows that stay, as an SQL condition. */
  readonly where: string;
}

/**
 * Writes the rows of some segments anew and puts the new files in their place: of rows with an equal key the newest, of
 * priced rows those that count. Returns how many files there are now; null when the ledger moved on meanwhile or a file was
 * found damaged (it leaves the answers): another pass tries again.
 */
export async function rewriteSegments(
  files: SegmentFiles,
  duck: Duck,
  rewrite: Rewrite,
  nowMs: number,
): Promise<number | null> {
  // What is damaged must neither be carried on nor keep the others apart for ever.
  if ((await dropFaulty(files, rewrite.segments, "whole")).length > 0) return null;
  const merged = await writeInMemory(files, duck, rewrite);
  try {
    await files.store.write((trx) => exchangeSegments(trx, rewrite.segments, merged, nowMs));
    return merged.length;
  } catch (error) {
    // Another failure may have come after the commit: then the ledger names these files and no others.
    await letGo(writtenSegments(files, merged), error);
    if (isRefused(error)) return null;
    throw error;
  }
}

/** How much is worked on at a time; what does not fit into the engine's memory is tried again in smaller pieces. */
interface Pieces {
  readonly stepRows: number;
  readonly fileBytes: number;
}

/** Pieces of a sixteenth are the smallest that are tried. */
const MOST_PIECES = 16;

/** How wide rows are, and how far one thread runs ahead of the other, is not known before: the engine says when it is too much. */
async function writeInMemory(
  files: SegmentFiles,
  duck: Duck,
  rewrite: Rewrite,
  divisor = 1,
): Promise<readonly SegmentInfo[]> {
  const pieces = { stepRows: Math.ceil(STEP_ROWS / divisor), fileBytes: Math.ceil(MAX_SEGMENT_BYTES / divisor) };
  try {
    return await writeAnew(files, duck, rewrite, pieces);
  } catch (error) {
    if (!isOutOfMemory(error) || divisor >= MOST_PIECES) throw error;
    return writeInMemory(files, duck, rewrite, divisor * 4);
  }
}

async function writeAnew(
  files: SegmentFiles,
  duck: Duck,
  rewrite: Rewrite,
  { stepRows, fileBytes }: Pieces,
): Promise<readonly SegmentInfo[]> {
  const { kind, segments } = rewrite;
  const generation = Math.max(...segments.map((segment) => segment.generation)) + 1;
  const made: { readonly path: string }[] = [];
  try {
    return await duck.use(async (connection) => {
      // Read after the segments were listed: rows of a later revision are in later files.
      const counted = kind === "cost" ? await loadCounted(files, connection, segments) : [];
      const written: SegmentInfo[] = [];
      const contents = await contentsOf(connection, files.dataDir, segments);
      for (const hours of chunksOf(contents, bytesPerRow(segments), fileBytes)) {
        const part = { kind, hourStartMs: hours[0]?.hourStartMs ?? 0, generation };
        const file = await writeHours(connection, files, { ...rewrite, stepRows }, hours, (select) =>
          writeFile(connection, files, part, select),
        );
        made.push(file);
        const segment = { ...part, ...file, ...(await contentOf(connection, files, kind, file.path, counted)) };
        if (segment.rows > 0) written.push(segment);
        else await files.disk.remove(join(files.dataDir, file.path));
      }
      await flushFolders(files, written);
      return written;
    });
  } catch (cause) {
    await removeFiles(files, made);
    throw cause instanceof PlimsollError ? cause : unavailable("written", cause);
  }
}

/**
 * Hours that lie sorted in one file are passed on as they are; the others are made in steps. A step may be of several hours
 * only when all of them are small.
 */
function writeHours<T>(
  connection: DuckDBConnection,
  { dataDir }: SegmentFiles,
  rewrite: Rewrite & Pick<Pieces, "stepRows">,
  hours: readonly HourContent[],
  write: (select: string) => Promise<T>,
): Promise<T> {
  const { segments } = rewrite;
  const passed = hours.filter(({ hourStartMs }) => isSorted(segments, hourStartMs));
  const made = hours.filter((hour) => !passed.includes(hour));
  const asItIs = passed.map(({ hourStartMs }) => {
    const source = sourceOf(dataDir, covering(segments, hourStartMs));
    return `select * from ${source} ${counting(rewrite)} where hour_start_ms = ${hourStartMs} and ${rewrite.where}`;
  });
  const steps = made.flatMap(({ hourStartMs, clusters }) =>
    clusterRanges(clusters, rewrite.stepRows).map((range) => newestRows(rewrite, dataDir, hourStartMs, ofRange(range))),
  );
  const [only] = steps;
  if (asItIs.length === 0 && steps.length === 1 && only !== undefined) return write(only);
  if (steps.length === 0) return write(asItIs.join(" union all by name "));
  return inSteps(connection, dataDir, steps, (source) =>
    write([...asItIs, `select * from ${source}`].join(" union all by name ")),
  );
}

/** Rows of an hour that are all in one file, merged before, are there once and in order. */
function isSorted(segments: readonly LiveSegment[], hourStartMs: number): boolean {
  const of = covering(segments, hourStartMs);
  return of.length === 1 && of.every(({ generation }) => generation > 0);
}

function covering(segments: readonly LiveSegment[], hourStartMs: number): readonly LiveSegment[] {
  return segments.filter((segment) => segment.hourStartMs <= hourStartMs && hourStartMs < segment.endMs);
}

/** Of priced rows, those that count. */
function counting({ kind }: Rewrite): string {
  return kind === "cost" ? "semi join counted using (cluster_id, hour_start_ms, revision)" : "";
}

async function loadCounted(
  { store }: SegmentFiles,
  connection: DuckDBConnection,
  segments: readonly LiveSegment[],
): Promise<readonly CountedHour[]> {
  const fromMs = Math.min(...segments.map(({ hourStartMs }) => hourStartMs));
  const counted = await countedHours(store.db, fromMs, Math.max(...segments.map(({ endMs }) => endMs)));
  const table = new StagedTable({ cluster_id: "text", hour_start_ms: "number", revision: "number" });
  for (const { clusterId, hourStartMs, revision } of counted) table.add(clusterId, hourStartMs, revision);
  await table.load(connection, "counted");
  return counted;
}

/** An hour of some segments: rows by cluster. */
interface HourContent {
  readonly hourStartMs: number;
  readonly clusters: readonly { readonly clusterId: string; readonly rows: number }[];
}

async function contentsOf(
  connection: DuckDBConnection,
  dataDir: string,
  segments: readonly LiveSegment[],
): Promise<readonly HourContent[]> {
  const rows = await queryRows(
    connection,
    `select hour_start_ms, cluster_id, count(*) as rows from ${sourceOf(dataDir, segments)} group by all order by all`,
  );
  return [...Map.groupBy(rows, (row) => row.number("hour_start_ms"))].map(([hourStartMs, ofHour]) => ({
    hourStartMs,
    clusters: ofHour.map((row) => ({ clusterId: row.text("cluster_id"), rows: row.number("rows") })),
  }));
}

function bytesPerRow(segments: readonly LiveSegment[]): number {
  return bytesOf(segments) / Math.max(1, rowsOf(segments));
}

/** Hours of the files to write, none larger than it should be by what its rows take now. */
function chunksOf(
  hours: readonly HourContent[],
  perRow: number,
  fileBytes: number,
): readonly (readonly HourContent[])[] {
  const chunks: HourContent[][] = [];
  let bytes = 0;
  for (const hour of hours) {
    const ofHour = rowsOf(hour.clusters) * perRow;
    const chunk = chunks.at(-1);
    if (chunk && bytes + ofHour <= fileBytes) {
      chunk.push(hour);
      bytes += ofHour;
    } else {
      chunks.push([hour]);
      bytes = ofHour;
    }
  }
  return chunks;
}

function rowsOf(parts: readonly { readonly rows: number }[]): number {
  return parts.reduce((sum, { rows }) => sum + rows, 0);
}

/** Newest rows of an hour of some clusters, in order. */
function newestRows(rewrite: Rewrite, dataDir: string, hourStartMs: number, clusters: string): string {
  const { kind } = rewrite;
  const source = sourceOf(dataDir, covering(rewrite.segments, hourStartMs));
  const where = `hour_start_ms = ${hourStartMs} and ${clusters} and ${rewrite.where}`;
  if (kind === "cost") {
    return `select * from ${source} ${counting(rewrite)} where ${where}
      order by cluster_id, node_uid, namespace, workload_name`;
  }
  // `version` is how the newest rows are found, no column of the files.
  return `select * exclude (version) from (${newestOf(kind, source, where)}) order by ${FACT_KEYS[kind].join(", ")}`;
}

/** What a written file holds; the clusters of a priced hour with its revision. */
async function contentOf(
  connection: DuckDBConnection,
  { dataDir }: SegmentFiles,
  kind: WarehouseKind,
  path: string,
  counted: readonly CountedHour[],
): Promise<Pick<SegmentInfo, "rows" | "clusters" | "endMs">> {
  const groups = await queryRows(
    connection,
    `select cluster_id, hour_start_ms, count(*) as rows, ${endOf(kind)} as end_ms from ${sourceOf(dataDir, [{ path }])}
     group by cluster_id, hour_start_ms`,
  );
  const revisions = new Map(
    counted.map(({ clusterId, hourStartMs, revision }) => [`${hourStartMs} ${clusterId}`, revision]),
  );
  const isHour = new Set(groups.map((group) => group.number("hour_start_ms"))).size === 1;
  const revisionOf = (group: QueryRow): number =>
    isHour ? (revisions.get(`${group.number("hour_start_ms")} ${group.text("cluster_id")}`) ?? 0) : 0;
  const clusters = new Map(groups.map((group) => [group.text("cluster_id"), revisionOf(group)]));
  return {
    rows: groups.reduce((sum, group) => sum + group.number("rows"), 0),
    endMs: groups.reduce((latest, group) => Math.max(latest, group.number("end_ms")), 0),
    clusters,
  };
}
