import { ownersBySegment } from "../ledger/segment-rows.ts";
import { type CostSources, chooseSources } from "./cost-sources.ts";
import { type Duck, queryRows } from "./duck.ts";
import type { QueryRow } from "./query-row.ts";
import { readListed, readSegments, type SegmentFiles, sourceOf } from "./segment-reader.ts";
import { StagedTable } from "./staged-table.ts";

/** Priced rows to sum: a cluster's hour, with the revision that counts. */
export interface CostHour {
  readonly clusterId: string;
  readonly hourStartMs: number;
  readonly revision: number;
}

/** Fields that priced rows can be grouped by. */
export const COST_FIELDS = {
  cluster: "cluster_id",
  namespace: "namespace",
  workload: "workload_type || '/' || workload_name",
  "workload-type": "workload_type",
  node: "node_name",
  "node-pool": "node_pool",
  "instance-type": "instance_type",
  region: "region",
  zone: "zone",
  "cost-center": "cost_center",
  env: "env",
  "owner-team": "owner_team",
  pricing: "pricing",
} as const;
export type CostField = keyof typeof COST_FIELDS;

/** A field, or the value of a label. */
export type CostGroupKey = { readonly field: CostField } | { readonly label: string };

/** How to sum priced rows. */
export interface CostGrouping {
  readonly by: readonly CostGroupKey[];
  /** Only rows of this namespace; null = all, idle and system too. */
  readonly namespace: string | null;
}

/** Sums of one group of priced rows, nano-units, by kind of resource. */
export interface CostSum {
  /** In the order of `by`; null = not set. */
  readonly values: readonly (string | null)[];
  readonly costKind: string;
  readonly currency: string;
  readonly cpu: bigint;
  readonly memory: bigint;
  readonly gpu: bigint;
  readonly total: bigint;
}

/** Sums the priced rows of some hours: whole days from their sums where there are some, the rest by the hour. */
export async function askCost(
  files: SegmentFiles,
  duck: Duck,
  hours: readonly CostHour[],
  grouping: CostGrouping,
): Promise<readonly CostSum[]> {
  if (hours.length === 0) return [];
  const starts = hours.map(({ hourStartMs }) => hourStartMs);
  const [fromMs, toMs] = [starts.reduce(min, Infinity), starts.reduce(max, -Infinity) + 1];
  const clusterIds = [...new Set(hours.map(({ clusterId }) => clusterId))];
  const filter = { kind: "cost_day", fromMs, toMs, clusterIds } as const;
  const all = { days: [], hours };
  return readListed(files, filter, null, async (days) => {
    const owners = await ownersBySegment(files.store.db, days);
    return askSources(files, duck, chooseSources(hours, days, owners), grouping);
  }).then((sums) => sums ?? askSources(files, duck, all, grouping));
}

/** One query over summed days and one over hours; what both know of a group is added up. */
async function askSources(
  files: SegmentFiles,
  duck: Duck,
  { days, hours }: CostSources,
  grouping: CostGrouping,
): Promise<readonly CostSum[]> {
  const sums = days.length === 0 ? [] : await askDays(files, duck, days, grouping);
  const ofHours = hours.length === 0 ? [] : await askHours(files, duck, hours, grouping);
  return sums.length === 0 || ofHours.length === 0 ? [...sums, ...ofHours] : addUp([...sums, ...ofHours]);
}

function askDays(
  files: SegmentFiles,
  duck: Duck,
  days: CostSources["days"],
  grouping: CostGrouping,
): Promise<readonly CostSum[]> {
  const wanted = new StagedTable({ cluster_id: "text", hour_start_ms: "number" });
  for (const { segment, clusterIds } of days) for (const id of clusterIds) wanted.add(id, segment.hourStartMs);
  const source = sourceOf(
    files.dataDir,
    days.map(({ segment }) => segment),
  );
  // The join takes longer than the sums: it is left out where it would keep every row.
  if (days.every(({ isWhole }) => isWhole)) return ask(duck, null, grouping, source);
  return ask(duck, wanted, grouping, `${source} semi join wanted using (cluster_id, hour_start_ms)`);
}

function askHours(
  files: SegmentFiles,
  duck: Duck,
  hours: readonly CostHour[],
  grouping: CostGrouping,
): Promise<readonly CostSum[]> {
  const starts = hours.map(({ hourStartMs }) => hourStartMs);
  const [fromMs, toMs] = [starts.reduce(min, Infinity), starts.reduce(max, -Infinity) + 1];
  const clusterIds = [...new Set(hours.map(({ clusterId }) => clusterId))];
  const wanted = new StagedTable({ cluster_id: "text", hour_start_ms: "number", revision: "number" });
  for (const { clusterId, hourStartMs, revision } of hours) wanted.add(clusterId, hourStartMs, revision);
  const filter = { kind: "cost", fromMs, toMs, clusterIds } as const;
  return readSegments<readonly CostSum[]>(files, filter, [], (source) =>
    ask(duck, wanted, grouping, `${source} semi join wanted using (cluster_id, hour_start_ms, revision)`),
  );
}

/** Sums the rows of a source, which may join `wanted`. */
function ask(
  duck: Duck,
  wanted: StagedTable | null,
  { by, namespace }: CostGrouping,
  source: string,
): Promise<readonly CostSum[]> {
  const labels = by.flatMap((key) => ("label" in key ? [key.label] : []));
  return duck.use(async (connection) => {
    await wanted?.load(connection, "wanted");
    const rows = await queryRows(connection, costQuery(source, by, namespace), [
      ...labels.map(labelPointer),
      ...(namespace === null ? [] : [namespace]),
    ]);
    return rows.map((row) => readSum(row, by.length));
  });
}

function addUp(sums: readonly CostSum[]): readonly CostSum[] {
  const groups = Map.groupBy(sums, ({ values, costKind, currency }) => JSON.stringify([values, costKind, currency]));
  return [...groups.values()].map((same) => same.reduce(plus));
}

function plus(one: CostSum, other: CostSum): CostSum {
  return {
    ...one,
    cpu: one.cpu + other.cpu,
    memory: one.memory + other.memory,
    gpu: one.gpu + other.gpu,
    total: one.total + other.total,
  };
}

/** `$1 …` are the pointers of the labels, then the namespace. */
function costQuery(source: string, by: readonly CostGroupKey[], namespace: string | null): string {
  let parameters = 0;
  const keys = by.map((key, index) => {
    if ("field" in key) return `${COST_FIELDS[key.field]} as key_${index}`;
    parameters += 1;
    return `json_extract_string(labels, $${parameters}) as key_${index}`;
  });
  const ofKind = (kind: string): string => `coalesce(sum(cost) filter (resource_kind = '${kind}'), 0)`;
  return `
    select ${[...keys, "cost_kind", "currency"].join(", ")}, ${ofKind("cpu")} as cpu, ${ofKind("memory")} as memory,
      ${ofKind("gpu")} as gpu, sum(cost) as total
    from ${source} ${namespace === null ? "" : `where namespace = $${parameters + 1}`}
    group by all`;
}

/** The JSON pointer of a label key. */
function labelPointer(key: string): string {
  return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function readSum(row: QueryRow, keys: number): CostSum {
  return {
    values: Array.from({ length: keys }, (_, index) => row.textOrNull(`key_${index}`)),
    costKind: row.text("cost_kind"),
    currency: row.text("currency"),
    cpu: row.big("cpu"),
    memory: row.big("memory"),
    gpu: row.big("gpu"),
    total: row.big("total"),
  };
}

function min(a: number, b: number): number {
  return Math.min(a, b);
}

function max(a: number, b: number): number {
  return Math.max(a, b);
}
