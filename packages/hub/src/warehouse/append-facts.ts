import type { DuckDBConnection } from "@duckdb/node-api";
import { BATCH_KINDS, type BatchKind } from "@plimsoll/contracts/wire";
import type { GappedTime, TouchedHour } from "../ledger/ledger.ts";
import type { SegmentInfo } from "../ledger/segments.ts";
import { type Duck, queryRows, unavailable } from "./duck.ts";
import { endOf } from "./end-of.ts";
import type { BatchesOf, FactBatch, FactRows } from "./fact-batch.ts";
import { GAP_SELECT, stageGaps } from "./gap-facts.ts";
import { NODE_SELECT, stageNodes } from "./node-facts.ts";
import { SAMPLE_SELECT, sampleHours, stageSamples } from "./sample-facts.ts";
import type { Staged } from "./staged-table.ts";
import { removeFiles } from "./unnamed-files.ts";
import { stageUsage, USAGE_SELECT } from "./usage-facts.ts";
import type { AppendResult } from "./warehouse-port.ts";
import { type SegmentDisk, type SegmentRows, writeSegments } from "./write-segments.ts";
import { writtenSegments } from "./written-segments.ts";

/** Where segments go, and what writes them. */
export interface SegmentTarget extends SegmentDisk {
  readonly duck: Duck;
}

/** Writes the rows of batches, one file for each kind and hour. Throws `warehouse_unavailable`; then no file is left. */
export async function appendFacts(target: SegmentTarget, batches: readonly FactBatch[]): Promise<AppendResult> {
  const segments: SegmentInfo[] = [];
  try {
    for (const kind of BATCH_KINDS) {
      const ofKind = batches.filter(({ facts }) => facts.kind === kind);
      if (ofKind.length > 0) segments.push(...(await appendKind(target, kind, ofKind)));
    }
  } catch (cause) {
    await removeFiles(target, segments);
    throw unavailable("written", cause);
  }
  const written = writtenSegments(target, segments);
  return { written, touched: touchedBy(segments), gapped: gappedBy(only("gap", batches)) };
}

async function appendKind(
  target: SegmentTarget,
  kind: BatchKind,
  batches: readonly FactBatch[],
): Promise<readonly SegmentInfo[]> {
  const { tables, select } = stage(kind, batches);
  return target.duck.use(async (connection) => {
    for (const [name, table] of Object.entries(tables)) await table.load(connection, name);
    // Samples are many, and their hours are known without asking.
    const hours = kind === "sample" ? hoursOfSamples(batches) : await hoursByQuery(connection, kind, select);
    return writeSegments(
      connection,
      target,
      hours.map((hour) => ({ ...hour, select: rowsOf(hour, hours, select) })),
    );
  });
}

function stage(
  kind: BatchKind,
  batches: readonly FactBatch[],
): { tables: Readonly<Record<string, Staged>>; select: string } {
  switch (kind) {
    case "usage":
      return { tables: stageUsage(only(kind, batches)), select: USAGE_SELECT };
    case "node":
      return { tables: stageNodes(only(kind, batches)), select: NODE_SELECT };
    case "sample":
      return { tables: stageSamples(only(kind, batches)), select: SAMPLE_SELECT };
    case "gap":
      return { tables: stageGaps(only(kind, batches)), select: GAP_SELECT };
  }
}

function only<K extends BatchKind>(kind: K, batches: readonly FactBatch[]) {
  const isKind = (facts: FactRows): facts is Extract<FactRows, { kind: K }> => facts.kind === kind;
  return batches.flatMap(({ key, facts }) => (isKind(facts) ? [{ key, facts }] : []));
}

/** The rows of one hour of a query; of the only one, all. */
function rowsOf({ hourStartMs }: HourRows, hours: readonly HourRows[], select: string): string {
  return hours.length === 1 ? select : `select * from (${select}) where hour_start_ms = ${hourStartMs}`;
}

/** What is to be known of a file before it is written. */
type HourRows = Omit<SegmentRows, "select">;

function hoursOfSamples(batches: readonly FactBatch[]): readonly HourRows[] {
  return sampleHours(only("sample", batches)).map(({ hourStartMs, rows, clusterIds }) => ({
    kind: "sample",
    hourStartMs,
    endMs: hourStartMs + 3_600_000,
    generation: 0,
    rows,
    clusters: new Map([...clusterIds].map((clusterId) => [clusterId, 0])),
  }));
}

/** The files to write of a query with `cluster_id` and `hour_start_ms`. */
async function hoursByQuery(
  connection: DuckDBConnection,
  kind: BatchKind,
  select: string,
): Promise<readonly HourRows[]> {
  const counts = await queryRows(
    connection,
    `select hour_start_ms, cluster_id, count(*) as rows, ${endOf(kind)} as end_ms from (${select})
     group by hour_start_ms, cluster_id order by all`,
  );
  return [...Map.groupBy(counts, (row) => row.number("hour_start_ms"))].map(([hourStartMs, clusters]) => ({
    kind,
    hourStartMs,
    endMs: clusters.reduce((latest, row) => Math.max(latest, row.number("end_ms")), 0),
    generation: 0,
    rows: clusters.reduce((sum, row) => sum + row.number("rows"), 0),
    clusters: new Map(clusters.map((row) => [row.text("cluster_id"), 0])),
  }));
}

/** Hours to price: those with new usage or nodes. */
function touchedBy(segments: readonly SegmentInfo[]): readonly TouchedHour[] {
  const touched = new Map<string, TouchedHour>();
  for (const { kind, hourStartMs, clusters } of segments) {
    if (kind !== "usage" && kind !== "node") continue;
    for (const clusterId of clusters.keys()) touched.set(`${hourStartMs} ${clusterId}`, { clusterId, hourStartMs });
  }
  return [...touched.values()];
}

/** One span for each cluster, over all of its gaps. */
function gappedBy(batches: BatchesOf<"gap">): readonly GappedTime[] {
  return [...Map.groupBy(batches, ({ key }) => key.clusterId)].map(([clusterId, ofCluster]) => {
    const gaps = ofCluster.flatMap(({ facts }) => facts.rows);
    return {
      clusterId,
      fromMs: gaps.reduce((least, { startMs }) => Math.min(least, startMs), Infinity),
      toMs: gaps.reduce((most, { endMs, asOfMs }) => Math.max(most, endMs ?? asOfMs), 0),
    };
  });
}
