import { type Duck, ofClusters } from "./duck.ts";
import { NEWEST_HOUR_VERSION, newestOf } from "./newest.ts";
import { readSegments, type SegmentFiles } from "./segment-reader.ts";
import { type GroupBase, groupUsage } from "./usage-groups.ts";

/** Usage of one hour, summed over pods that nothing tells apart. Integrals: wire units × seconds. */
export interface UsageGroup extends GroupBase {
  /** Σ over the pods. */
  readonly billedMs: number;
  readonly unseenMs: number;
  readonly request: bigint;
  readonly usage: bigint;
  readonly charged: bigint;
}

/** What pods hold that run now, summed over pods that nothing tells apart. Wire units: averages since the hour began. */
export interface RunningGroup extends GroupBase {
  readonly requested: bigint;
  /** Null = of no pod's usage anything is known. */
  readonly used: bigint | null;
  readonly charged: bigint;
}

/** Open intervals are sent again every five minutes: one that was left out twice is no longer there. */
export const STALE_AFTER_MS = 11 * 60_000;

/** Usage of one hour of some clusters, the newest row of each (pod, interval) counting. */
export function askUsage(
  files: SegmentFiles,
  duck: Duck,
  clusterIds: readonly string[],
  hourStartMs: number,
): Promise<readonly UsageGroup[]> {
  const filter = { kind: "usage", fromMs: hourStartMs, toMs: hourStartMs + 1, clusterIds } as const;
  return readSegments<readonly UsageGroup[]>(files, filter, [], async (source) => {
    const where = `hour_start_ms = ${hourStartMs} and ${ofClusters(clusterIds)}`;
    const rows = newestOf("usage", source, where);
    const sums = `sum(billed_ms) as billed_ms, sum(unseen_ms) as unseen_ms, sum(request) as request, sum(usage) as usage,
      sum(charged) as charged`;
    return groupUsage(duck, rows, sums, (row, base) => ({
      ...base,
      billedMs: row.number("billed_ms"),
      unseenMs: row.number("unseen_ms"),
      request: row.big("request"),
      usage: row.big("usage"),
      charged: row.big("charged"),
    }));
  });
}

/**
 * Pods that run now: intervals that were open when they were last heard of, which may have been in the hour before. Each
 * counts with its average: integral ÷ its own billed (or covered) time, rounded to nearest.
 */
export function askRunning(
  files: SegmentFiles,
  duck: Duck,
  clusterIds: readonly string[],
  fromMs: number,
): Promise<readonly RunningGroup[]> {
  const filter = { kind: "usage", fromMs, toMs: null, clusterIds } as const;
  return readSegments<readonly RunningGroup[]>(files, filter, [], async (source) => {
    const where = `hour_start_ms >= ${fromMs} and ${ofClusters(clusterIds)}`;
    const interval = ["cluster_id", "pod_uid", "interval_start_ms"];
    const rows = `
      with heard as (
        select *, max(as_of_ms) over (partition by cluster_id) as heard_ms
        from (${newestOf("usage", source, where, interval, NEWEST_HOUR_VERSION)})
      )
      select * from heard
      where interval_end_ms is null and billed_ms > 0 and as_of_ms > heard_ms - ${STALE_AFTER_MS}`;
    const averages = `${average("request", "billed_ms")} as requested, ${average("usage", "usage_covered_ms")} as used,
      ${average("charged", "billed_ms")} as charged`;
    return groupUsage(duck, rows, averages, (row, base) => ({
      ...base,
      requested: row.bigOrNull("requested") ?? 0n,
      used: row.bigOrNull("used"),
      charged: row.bigOrNull("charged") ?? 0n,
    }));
  });
}

function average(integral: string, time: string): string {
  return `sum(case when ${time} > 0 then (${integral}::hugeint * 1000 + ${time} // 2) // ${time} end)`;
}
