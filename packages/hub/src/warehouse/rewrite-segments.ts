import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { PlimsollError } from "@plimsoll/contracts";
import { type CountedHour, countedHours, exchangeSegments } from "../ledger/exchange-segments.ts";
import type { LiveSegment } from "../ledger/segment-rows.ts";
import type { SegmentInfo } from "../ledger/segments.ts";
import { type Duck, queryRows, unavailable } from "./duck.ts";
import { endOf } from "./end-of.ts";
import { FACT_KEYS, newestOf } from "./newest.ts";
import { bytesOf, MAX_SEGMENT_BYTES } from "./plan-merges.ts";
import type { QueryRow } from "./query-row.ts";
import { dropFaulty, type SegmentFiles, sourceOf } from "./segment-reader.ts";
import { StagedTable } from "./staged-table.ts";
import type { WarehouseKind } from "./warehouse-port.ts";
import { flushFolders, writeFile } from "./write-segments.ts";

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
  const merged = await writeAnew(files, duck, rewrite);
  try {
    await files.store.write((trx) => exchangeSegments(trx, rewrite.segments, merged, nowMs));
    return merged.length;
  } catch (error) {
    for (const { path } of merged) await files.disk.remove(join(files.dataDir, path));
    if (error instanceof PlimsollError && error.code === "ledger_moved") return null;
    throw error;
  }
}

async function writeAnew(files: SegmentFiles, duck: Duck, rewrite: Rewrite): Promise<readonly SegmentInfo[]> {
  const { kind, segments } = rewrite;
  const generation = Math.max(...segments.map((segment) => segment.generation)) + 1;
  try {
    return await duck.use(async (connection) => {
      // Read after the segments were listed: rows of a later revision are in later files.
      const counted = kind === "cost" ? await loadCounted(files, connection, segments) : [];
      const written: SegmentInfo[] = [];
      for (const [first, last] of await chunksOf(connection, files.dataDir, segments)) {
        const where = `hour_start_ms between ${first} and ${last} and ${rewrite.where}`;
        const part = { kind, hourStartMs: first, generation };
        const file = await writeFile(connection, files, part, rowsOf(rewrite, files.dataDir, where));
        const segment = { ...part, ...file, ...(await contentOf(connection, files, kind, file.path, counted)) };
        if (segment.rows > 0) written.push(segment);
        else await files.disk.remove(join(files.dataDir, file.path));
      }
      await flushFolders(files, written);
      return written;
    });
  } catch (cause) {
    throw cause instanceof PlimsollError ? cause : unavailable("written", cause);
  }
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

/** First and last hours of the files to write, none larger than it should be by what its rows take now. */
async function chunksOf(
  connection: DuckDBConnection,
  dataDir: string,
  segments: readonly LiveSegment[],
): Promise<readonly (readonly [number, number])[]> {
  const source = sourceOf(dataDir, segments);
  const hours = await queryRows(
    connection,
    `select hour_start_ms, count(*) as rows from ${source} group by hour_start_ms order by hour_start_ms`,
  );
  const bytesPerRow =
    bytesOf(segments) /
    Math.max(
      1,
      segments.reduce((sum, { rows }) => sum + rows, 0),
    );
  const chunks: [number, number][] = [];
  let bytes = 0;
  for (const hour of hours) {
    const [startMs, ofHour] = [hour.number("hour_start_ms"), hour.number("rows") * bytesPerRow];
    const chunk = chunks.at(-1);
    if (chunk && bytes + ofHour <= MAX_SEGMENT_BYTES) chunk[1] = startMs;
    else chunks.push([startMs, startMs]);
    bytes = chunk && chunk === chunks.at(-1) ? bytes + ofHour : ofHour;
  }
  return chunks;
}

function rowsOf({ kind, segments }: Rewrite, dataDir: string, where: string): string {
  const source = sourceOf(dataDir, segments);
  if (kind === "cost") {
    return `select * from ${source} semi join counted using (cluster_id, hour_start_ms, revision) where ${where}
      order by cluster_id, hour_start_ms, node_uid, namespace, workload_name`;
  }
  // `version` is how the newest rows are found, no column of the files. Usage is asked for by the hour.
  const order = ["hour_start_ms", ...FACT_KEYS[kind]].join(", ");
  return `select * exclude (version) from (${newestOf(kind, source, where)}) order by ${order}`;
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
