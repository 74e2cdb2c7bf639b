import { type Duck, ofClusters } from "./duck.ts";
import { readSegments, type SegmentFiles } from "./segment-reader.ts";

/** Up to where windows of samples run that start in an hour of a cluster. */
export interface SampledHour {
  readonly clusterId: string;
  readonly hourStartMs: number;
  /** A merged window may reach into later hours. */
  readonly upToMs: number;
}

/** Hours from `fromMs` to before `toMs` that have samples. */
export function askSampled(
  files: SegmentFiles,
  duck: Duck,
  clusterIds: readonly string[],
  fromMs: number,
  toMs: number,
): Promise<readonly SampledHour[]> {
  const filter = { kind: "sample", fromMs, toMs, clusterIds } as const;
  return readSegments<readonly SampledHour[]>(files, filter, [], async (source) => {
    const rows = await duck.query(`
      select cluster_id, hour_start_ms, max(window_start_ms + window_ms) as up_to_ms from ${source}
      where hour_start_ms >= ${fromMs} and hour_start_ms < ${toMs} and ${ofClusters(clusterIds)} group by all`);
    return rows.map((row) => ({
      clusterId: row.text("cluster_id"),
      hourStartMs: row.number("hour_start_ms"),
      upToMs: row.number("up_to_ms"),
    }));
  });
}
