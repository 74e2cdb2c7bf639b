import { LABEL_SOURCES, type LabelSource, METERING_MODES, type MeteringMode } from "@plimsoll/contracts/wire";
import { type Duck, literals } from "./duck.ts";
import { onlyNewest } from "./newest.ts";
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
  /** Are the intervals still open at `asOfMs`? Closed ones are groups of their own. */
  readonly open: boolean;
  readonly pods: number;
  /** Σ over the pods. */
  readonly billedMs: number;
  readonly unseenMs: number;
  readonly request: bigint;
  readonly usage: bigint;
  readonly charged: bigint;
  /** What an hour of the same would be: Σ of each pod's integral ÷ its own billed (or covered) time × 3,600 s, floored. */
  readonly hourlyRequest: bigint;
  /** Null = of no pod's usage anything is known. */
  readonly hourlyUsage: bigint | null;
  readonly hourlyCharged: bigint;
  /** Of the newest row. */
  readonly asOfMs: number;
}

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
      select cluster_id, ${OWNER}, resource, interval_end_ms is null as open, count(*) as pods,
        sum(billed_ms) as billed_ms, sum(unseen_ms) as unseen_ms, max(as_of_ms) as as_of_ms,
        sum(request) as request, sum(usage) as usage, sum(charged) as charged,
        ${hourly("request", "billed_ms")}, ${hourly("usage", "usage_covered_ms")}, ${hourly("charged", "billed_ms")}
      from newest group by all`);
    return rows.map(readGroup);
  });
}

function hourly(column: string, time: string): string {
  return `sum(case when ${time} > 0 then ${column}::hugeint * 3600000 // ${time} end) as hourly_${column}`;
}

function readGroup(row: QueryRow): UsageGroup {
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
    open: row.flag("open"),
    pods: row.number("pods"),
    billedMs: row.number("billed_ms"),
    unseenMs: row.number("unseen_ms"),
    request: row.big("request"),
    usage: row.big("usage"),
    charged: row.big("charged"),
    hourlyRequest: row.bigOrNull("hourly_request") ?? 0n,
    hourlyUsage: row.bigOrNull("hourly_usage"),
    hourlyCharged: row.bigOrNull("hourly_charged") ?? 0n,
    asOfMs: row.number("as_of_ms"),
  };
}

/** A word of a later release's file counts as `other`. */
function wordOf<W extends string>(words: readonly W[], text: string, other: W): W {
  return words.find((word) => word === text) ?? other;
}
