import { LABEL_SOURCES, type LabelSource, METERING_MODES, type MeteringMode } from "@plimsoll/contracts/wire";
import { type Duck, literals } from "./duck.ts";
import { NEWEST_FIRST, onlyNewest } from "./newest.ts";
import type { QueryRow } from "./query-row.ts";
import { readSegments, type SegmentFiles } from "./segment-reader.ts";

/** Whom a row of usage belongs to, and where it ran. */
export interface UsageOwner {
  /** Null when only the name is known. */
  readonly nodeUid: string | null;
  readonly nodeName: string;
  readonly namespace: string;
  readonly workloadType: string;
  readonly workloadName: string;
  readonly costCenter: string | null;
  readonly env: string | null;
  readonly ownerTeam: string | null;
  readonly labelSource: LabelSource;
  /** JSON text of the label set, keys sorted. */
  readonly labels: string;
  readonly mode: MeteringMode;
}

/** Usage of one hour, summed over pods that nothing tells apart. Integrals: wire units × seconds. */
export interface UsageGroup extends UsageOwner {
  readonly clusterId: string;
  /** Null = pods without any resource. */
  readonly resource: string | null;
  readonly pods: number;
  /** Σ over the pods. */
  readonly billedMs: number;
  readonly unseenMs: number;
  readonly request: bigint;
  readonly usage: bigint;
  readonly charged: bigint;
  /** Of the newest row. */
  readonly asOfMs: number;
}

/** What pods hold that run now, summed over pods that nothing tells apart. Wire units: averages since the hour began. */
export interface RunningGroup extends UsageOwner {
  readonly clusterId: string;
  readonly resource: string | null;
  readonly pods: number;
  readonly requested: bigint;
  /** Null = of no pod's usage anything is known. */
  readonly used: bigint | null;
  readonly charged: bigint;
  readonly asOfMs: number;
}

/** Open intervals are sent again every five minutes: one that was left out twice is no longer there. */
export const STALE_AFTER_MS = 11 * 60_000;

const OWNER =
  "node_uid, node_name, namespace, workload_type, workload_name, cost_center, env, owner_team, label_source, labels, mode";

/** Usage of one hour of some clusters, the newest row of each (pod, interval) counting. */
export function askUsage(
  files: SegmentFiles,
  duck: Duck,
  clusterIds: readonly string[],
  hourStartMs: number,
): Promise<readonly UsageGroup[]> {
  const filter = { kind: "usage", fromMs: hourStartMs, toMs: hourStartMs + 1, clusterIds } as const;
  return readSegments<readonly UsageGroup[]>(files, filter, [], async (source) => {
    const rows = await duck.query(`
      with newest as (
        select * from ${source}
        where hour_start_ms = ${hourStartMs} and cluster_id in (${literals(clusterIds)}) ${onlyNewest("usage")}
      )
      select cluster_id, ${OWNER}, resource, count(*) as pods, sum(billed_ms) as billed_ms, sum(unseen_ms) as unseen_ms,
        max(as_of_ms) as as_of_ms, sum(request) as request, sum(usage) as usage, sum(charged) as charged
      from newest group by all`);
    return rows.map((row) => ({
      ...readOwner(row),
      pods: row.number("pods"),
      billedMs: row.number("billed_ms"),
      unseenMs: row.number("unseen_ms"),
      request: row.big("request"),
      usage: row.big("usage"),
      charged: row.big("charged"),
      asOfMs: row.number("as_of_ms"),
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
    const rows = await duck.query(`
      with newest as (
        select * from ${source} where hour_start_ms >= ${fromMs} and cluster_id in (${literals(clusterIds)})
        qualify rank() over (partition by cluster_id, pod_uid, interval_start_ms
          order by hour_start_ms desc, ${NEWEST_FIRST}) = 1
      ),
      heard as (select *, max(as_of_ms) over (partition by cluster_id) as heard_ms from newest)
      select cluster_id, ${OWNER}, resource, count(*) as pods, max(as_of_ms) as as_of_ms,
        ${average("request", "billed_ms")} as requested, ${average("usage", "usage_covered_ms")} as used,
        ${average("charged", "billed_ms")} as charged
      from heard
      where interval_end_ms is null and billed_ms > 0 and as_of_ms > heard_ms - ${STALE_AFTER_MS} group by all`);
    return rows.map((row) => ({
      ...readOwner(row),
      pods: row.number("pods"),
      requested: row.bigOrNull("requested") ?? 0n,
      used: row.bigOrNull("used"),
      charged: row.bigOrNull("charged") ?? 0n,
      asOfMs: row.number("as_of_ms"),
    }));
  });
}

function average(integral: string, time: string): string {
  return `sum(case when ${time} > 0 then (${integral}::hugeint * 1000 + ${time} // 2) // ${time} end)`;
}

function readOwner(row: QueryRow): UsageOwner & { readonly clusterId: string; readonly resource: string | null } {
  return {
    clusterId: row.text("cluster_id"),
    nodeUid: row.textOrNull("node_uid"),
    nodeName: row.text("node_name"),
    namespace: row.text("namespace"),
    workloadType: row.text("workload_type"),
    workloadName: row.text("workload_name"),
    costCenter: row.textOrNull("cost_center"),
    env: row.textOrNull("env"),
    ownerTeam: row.textOrNull("owner_team"),
    labelSource: wordOf(LABEL_SOURCES, row.text("label_source"), "none"),
    labels: row.text("labels"),
    mode: wordOf(METERING_MODES, row.text("mode"), "import"),
    resource: row.textOrNull("resource"),
  };
}

/** A word of a later release's file counts as `other`. */
function wordOf<W extends string>(words: readonly W[], text: string, other: W): W {
  return words.find((word) => word === text) ?? other;
}
