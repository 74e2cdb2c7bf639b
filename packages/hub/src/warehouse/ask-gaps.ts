import type { GapRow } from "@plimsoll/contracts/wire";
import { type Duck, ofClusters } from "./duck.ts";
import { newestOf } from "./newest.ts";
import type { QueryRow } from "./query-row.ts";
import { readSegments, type SegmentFiles } from "./segment-reader.ts";

/** A gap in the facts of a cluster. */
export interface ClusterGap {
  readonly clusterId: string;
  readonly gap: GapRow;
}

/** Gaps that touch the time from `fromMs` to `toMs`, the newest row of each. An open gap reaches to its `asOfMs`. */
export function askGaps(
  files: SegmentFiles,
  duck: Duck,
  clusterIds: readonly string[],
  fromMs: number,
  toMs: number,
): Promise<readonly ClusterGap[]> {
  const filter = { kind: "gap", fromMs, toMs, clusterIds } as const;
  return readSegments<readonly ClusterGap[]>(files, filter, [], async (source) => {
    const rows = await duck.query(`
      select * from (${newestOf("gap", source, ofClusters(clusterIds))})
      where start_ms < ${toMs} and coalesce(end_ms, as_of_ms) > ${fromMs} order by cluster_id, start_ms`);
    return rows.map((row) => ({ clusterId: row.text("cluster_id"), gap: readGap(row) }));
  });
}

function readGap(row: QueryRow): GapRow {
  const spoolId = row.textOrNull("lost_spool_id");
  return {
    startMs: row.number("start_ms"),
    endMs: row.numberOrNull("end_ms"),
    asOfMs: row.number("as_of_ms"),
    reason: row.text("reason"),
    missing: row.textOrNull("missing"),
    subject: row.textOrNull("subject"),
    detail: row.textOrNull("detail"),
    lostBatches: row.number("lost_batches"),
    lostRows: row.number("lost_rows"),
    lostBytes: row.number("lost_bytes"),
    lostSequences:
      spoolId === null ? null : { spoolId, first: row.number("lost_first"), last: row.number("lost_last") },
  };
}
