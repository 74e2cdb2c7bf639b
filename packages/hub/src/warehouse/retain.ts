import { dropSegmentsBefore, type LiveSegment, liveSegments } from "../ledger/segment-rows.ts";
import { Attempts } from "./attempts.ts";
import type { Duck } from "./duck.ts";
import { rewriteSegments } from "./rewrite-segments.ts";
import { type SegmentFiles, sourceOf } from "./segment-reader.ts";
import type { WarehouseKind } from "./warehouse-port.ts";

const HOUR_MS = 3_600_000;

/**
 * Drops the files of a kind whose time ends before or at `beforeMs` (rounded down to the hour), and takes the rows of before
 * out of the files that straddle it. Returns how many files were touched.
 */
export async function retainSegments(
  files: SegmentFiles,
  duck: Duck,
  kind: WarehouseKind,
  beforeMs: number,
  nowMs: number,
): Promise<number> {
  const hourMs = beforeMs - (beforeMs % HOUR_MS);
  let touched = await files.store.write((trx) => dropSegmentsBefore(trx, kind, hourMs, nowMs));
  if (kind === "cost") await files.store.write((trx) => dropSegmentsBefore(trx, "cost_day", hourMs, nowMs));
  const straddling = await liveSegments(files.store.db, { kind, fromMs: null, toMs: hourMs, clusterIds: null });
  const where = keptSince(kind, hourMs);
  const attempts = new Attempts();
  for (const segment of straddling) {
    if (!(await hasOlder(files, duck, segment, where))) continue;
    const rewrite = { kind, segments: [segment], where };
    const left = await attempts.at(() => rewriteSegments(files, duck, rewrite, nowMs));
    touched += typeof left === "number" ? 1 : 0;
  }
  attempts.end();
  return touched;
}

/** A gap is kept as long as any of its time. */
function keptSince(kind: WarehouseKind, hourMs: number): string {
  return kind === "gap" ? `greatest(as_of_ms, coalesce(end_ms, as_of_ms)) > ${hourMs}` : `hour_start_ms >= ${hourMs}`;
}

async function hasOlder({ dataDir }: SegmentFiles, duck: Duck, segment: LiveSegment, where: string): Promise<boolean> {
  const rows = await duck
    .query(`select 1 as old from ${sourceOf(dataDir, [segment])} where not (${where}) limit 1`)
    // Unreadable: the rewrite finds out why.
    .catch(() => [null]);
  return rows.length > 0;
}
