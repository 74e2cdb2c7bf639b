import { type Duck, ofClusters } from "./duck.ts";
import { readSegments, type SegmentFiles } from "./segment-reader.ts";

/** The latest sample of one node and resource. Wire units; null = unknown. */
export interface NodeSample {
  readonly clusterId: string;
  readonly nodeUid: string;
  readonly resource: string;
  readonly windowStartMs: number;
  readonly windowMs: number;
  readonly requested: number | null;
  readonly usedAvg: number | null;
  readonly usedMax: number | null;
}

/** The latest sample of each node and resource whose window starts at or after `sinceMs`. */
export function askNodeSamples(
  files: SegmentFiles,
  duck: Duck,
  clusterIds: readonly string[],
  sinceMs: number,
): Promise<readonly NodeSample[]> {
  const fromMs = sinceMs - (sinceMs % 3_600_000);
  const filter = { kind: "sample", fromMs, toMs: null, clusterIds } as const;
  return readSegments<readonly NodeSample[]>(files, filter, [], async (source) => {
    const rows = await duck.query(`
      select cluster_id, subject, resource, window_start_ms, window_ms, requested, used_avg, used_max from ${source}
      where scope = 'node' and window_start_ms >= ${sinceMs} and ${ofClusters(clusterIds)}
      qualify row_number() over (
        partition by cluster_id, subject, resource
        order by window_start_ms desc, window_ms desc, incarnation desc, sequence desc, spool_id desc) = 1
      order by cluster_id, subject, resource`);
    return rows.map((row) => ({
      clusterId: row.text("cluster_id"),
      nodeUid: row.text("subject"),
      resource: row.text("resource"),
      windowStartMs: row.number("window_start_ms"),
      windowMs: row.number("window_ms"),
      requested: row.numberOrNull("requested"),
      usedAvg: row.numberOrNull("used_avg"),
      usedMax: row.numberOrNull("used_max"),
    }));
  });
}
