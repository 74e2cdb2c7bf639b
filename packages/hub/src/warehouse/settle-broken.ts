import type { GapRow } from "@plimsoll/contracts/wire";
import type { Kysely } from "kysely";
import { commitEntries } from "../ledger/commit-entries.ts";
import type { TouchedHour } from "../ledger/ledger.ts";
import type { Row, Tables } from "../store/tables.ts";
import type { SegmentKind } from "../store/tables-ledger.ts";
import { appendFacts, type SegmentTarget } from "./append-facts.ts";
import { Attempts } from "./attempts.ts";
import type { FactBatch } from "./fact-batch.ts";
import { forgetAcceptance, refuseMassLoss } from "./loss-brake.ts";
import { putAside, reviveBroken } from "./recover.ts";
import type { SegmentFiles } from "./segment-reader.ts";
import { letGo } from "./unnamed-files.ts";

type Broken = Pick<Row<"segments">, "id" | "kind" | "path" | "hour_start_ms" | "end_ms" | "rows" | "created_at_ms">;

const HOUR_MS = 3_600_000;

/** A segment that was lost, and how many gaps say so. */
export interface LostSegment {
  readonly kind: SegmentKind;
  /** One for each of its clusters; 0 where its rows are made again. */
  readonly gaps: number;
}

/**
 * Writes down what was lost with segments that are missing or damaged: a gap of each of their clusters, in one commit with
 * taking the segment off the list. Priced rows are made again from their facts where those are still there. What was priced
 * from lost facts stays as it is: it was right. The damaged file is moved aside. One that is back is part of answers again.
 * Throws `segments_missing`, and settles nothing, when too many are missing to be taken for lost.
 */
export async function settleBroken(
  files: SegmentFiles & SegmentTarget,
  nowMs: number,
  onLost: (lost: LostSegment) => void = () => undefined,
): Promise<void> {
  await reviveBroken(files);
  const broken = await files.store.db.selectFrom("segments").selectAll().where("state", "=", "broken").execute();
  await refuseMassLoss(files, broken);
  const attempts = new Attempts();
  for (const segment of broken) await attempts.at(async () => onLost(await settle(files, segment, nowMs)));
  attempts.end();
  if (broken.length > 0) await forgetAcceptance(files);
}

async function settle(files: SegmentFiles & SegmentTarget, segment: Broken, nowMs: number): Promise<LostSegment> {
  // Sums are made again from the hours that they are of.
  const clusterIds = segment.kind === "cost_day" ? [] : await ownersOf(files.store.db, segment.id);
  const again = segment.kind === "cost" ? await priceable(files.store.db, clusterIds, segment) : [];
  const lost = segment.kind === "cost" ? await beyond(files.store.db, clusterIds, segment, again) : clusterIds;
  const { written } = await appendFacts(
    files,
    lost.map((clusterId) => gapOf(clusterId, segment, nowMs)),
  );
  // What cannot be moved stays, named, to be settled next time.
  await putAside(files, segment);
  const settled = files.store.write(async (trx) => {
    await commitEntries(trx, { entries: [], written, touched: again, gapped: [], nowMs });
    await trx.deleteFrom("segments").where("id", "=", segment.id).execute();
  });
  await settled.catch(async (error: unknown) => {
    await letGo(written, error);
    throw error;
  });
  return { kind: segment.kind, gaps: lost.length };
}

async function ownersOf(db: Kysely<Tables>, id: string): Promise<readonly string[]> {
  const rows = await db.selectFrom("segment_clusters").select("cluster_id").where("segment_id", "=", id).execute();
  return rows.map(({ cluster_id }) => cluster_id);
}

/** Hours of a priced segment whose usage is still there. */
async function priceable(
  db: Kysely<Tables>,
  clusterIds: readonly string[],
  { hour_start_ms, end_ms }: Broken,
): Promise<readonly TouchedHour[]> {
  const usage = await db
    .selectFrom("segments")
    .innerJoin("segment_clusters", "segment_clusters.segment_id", "segments.id")
    .select(["cluster_id as clusterId", "hour_start_ms", "end_ms"])
    .where("kind", "=", "usage")
    .where("state", "=", "live")
    .where("hour_start_ms", "<", end_ms)
    .where("end_ms", ">", hour_start_ms)
    .execute();
  const wanted = new Set(clusterIds);
  const hours = new Map<string, TouchedHour>();
  for (const { clusterId, hour_start_ms: from, end_ms: to } of usage) {
    if (!wanted.has(clusterId)) continue;
    for (let hour = Math.max(from, hour_start_ms); hour < Math.min(to, end_ms); hour += HOUR_MS) {
      hours.set(`${clusterId} ${hour}`, { clusterId, hourStartMs: hour });
    }
  }
  return [...hours.values()];
}

/** Clusters of which not every priced hour can be made again. */
async function beyond(
  db: Kysely<Tables>,
  clusterIds: readonly string[],
  { hour_start_ms, end_ms }: Broken,
  again: readonly TouchedHour[],
): Promise<readonly string[]> {
  const there = new Set(again.map(({ clusterId, hourStartMs }) => `${clusterId} ${hourStartMs}`));
  const priced = await db
    .selectFrom("cost_hours")
    .select(["cluster_id", "hour_start_ms"])
    .where("hour_start_ms", ">=", hour_start_ms)
    .where("hour_start_ms", "<", end_ms)
    .where("revision", ">", 0)
    .execute();
  const lost = new Set(
    priced.flatMap((hour) => (there.has(`${hour.cluster_id} ${hour.hour_start_ms}`) ? [] : hour.cluster_id)),
  );
  return clusterIds.filter((clusterId) => lost.has(clusterId));
}

/** Facts came until the segment was written, no later. */
function gapOf(clusterId: string, segment: Broken, nowMs: number): FactBatch {
  const { id, kind, hour_start_ms, end_ms, rows, path } = segment;
  const endMs = kind === "cost" ? end_ms : Math.max(hour_start_ms + 1, Math.min(end_ms, segment.created_at_ms));
  const row: GapRow = {
    startMs: hour_start_ms,
    endMs,
    asOfMs: Math.max(endMs, nowMs),
    reason: "segment_lost",
    missing: MISSING[kind],
    subject: null,
    detail: `a file of the hub was missing or damaged: ${path}`,
    lostBatches: 0,
    lostRows: rows,
    lostBytes: 0,
    lostSequences: null,
  };
  return { key: { clusterId, incarnation: 0, spoolId: `hub-${id}`, sequence: 1 }, facts: { kind: "gap", rows: [row] } };
}

/** What is missing: without its nodes an hour cannot be priced, without its gaps nobody knows how complete it is. */
const MISSING: Readonly<Record<SegmentKind, GapRow["missing"]>> = {
  usage: "usage",
  sample: "sample",
  node: null,
  gap: null,
  cost: null,
  cost_day: null,
};
