import { type Duck, queryRows } from "./duck.ts";
import type { QueryRow } from "./query-row.ts";
import { readSegments, type SegmentFiles } from "./segment-reader.ts";
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

/** Sums the priced rows of some hours. */
export function askCost(
  files: SegmentFiles,
  duck: Duck,
  hours: readonly CostHour[],
  { by, namespace }: CostGrouping,
): Promise<readonly CostSum[]> {
  const starts = hours.map(({ hourStartMs }) => hourStartMs);
  const clusterIds = [...new Set(hours.map(({ clusterId }) => clusterId))];
  const [fromMs, toMs] = [starts.reduce(min, Infinity), starts.reduce(max, -Infinity) + 1];
  if (hours.length === 0) return Promise.resolve([]);
  return readSegments<readonly CostSum[]>(files, { kind: "cost", fromMs, toMs, clusterIds }, [], (source) =>
    duck.use(async (connection) => {
      await wantedHours(hours).load(connection, "wanted");
      const labels = by.flatMap((key) => ("label" in key ? [key.label] : []));
      const rows = await queryRows(connection, costQuery(source, by, namespace), [
        ...labels.map(labelPointer),
        ...(namespace === null ? [] : [namespace]),
      ]);
      return rows.map((row) => readSum(row, by.length));
    }),
  );
}

function wantedHours(hours: readonly CostHour[]): StagedTable {
  const table = new StagedTable({ cluster_id: "text", hour_start_ms: "number", revision: "number" });
  for (const { clusterId, hourStartMs, revision } of hours) table.add(clusterId, hourStartMs, revision);
  return table;
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
    from ${source} join wanted using (cluster_id, hour_start_ms, revision)
    ${namespace === null ? "" : `where namespace = $${parameters + 1}`}
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
