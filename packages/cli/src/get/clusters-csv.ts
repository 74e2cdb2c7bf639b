import type { ClusterList, ClusterView } from "@plimsoll/contracts/rest";
import { lossCell } from "../format/coverage.ts";
import { percentOf } from "../format/percent.ts";
import { type CsvValue, csvLine } from "../render/csv-cell.ts";
import { INVENTORY_FIELDS } from "../render/csv-columns.ts";
import type { Share } from "../render/table/percent-cell.ts";
import { requestedShare, usedShare, watermarkOf } from "../rest/cluster-figures.ts";

interface Column {
  readonly name: string;
  readonly of: (cluster: ClusterView) => CsvValue;
}

const RESOURCES = [
  { name: "cpu", key: "cpu", unit: "millicores" },
  { name: "memory", key: "memory", unit: "bytes" },
  { name: "pods", key: "pods", unit: "count" },
] as const;

const COLUMNS: readonly Column[] = [
  ...INVENTORY_FIELDS.map((name) => ({ name, of: ({ record }: ClusterView) => flat(record[name]) })),
  { name: "mode", of: ({ mode }) => mode },
  { name: "connectivity_since", of: ({ connectivity }) => connectivity.since },
  { name: "last_beat_at", of: ({ connectivity }) => connectivity.lastBeatAt },
  { name: "nodes_schedulable", of: ({ nodes }) => nodes?.schedulable ?? null },
  ...RESOURCES.flatMap(({ name, key, unit }) => resourceColumns(name, key, unit)),
  { name: "cost_currency", of: ({ cost }) => cost?.currency ?? null },
  { name: "cost_hourly_total", of: ({ cost }) => cost?.total ?? null },
  { name: "cost_hourly_workloads", of: ({ cost }) => cost?.workloads ?? null },
  { name: "cost_hourly_idle", of: ({ cost }) => cost?.idle ?? null },
  { name: "cost_hourly_system", of: ({ cost }) => cost?.system ?? null },
  { name: "cost_price_source", of: ({ cost }) => cost?.priceSource ?? null },
  { name: "cost_as_of", of: ({ cost }) => cost?.asOf ?? null },
  { name: "cost_coverage", of: ({ cost }) => cost?.coverage.fraction ?? null },
  { name: "cost_coverage_reasons", of: ({ cost }) => cost && lossCell(cost.coverage) },
  { name: "simulated", of: ({ simulated }) => simulated },
];

/**
 * The clusters as one flat row each, for spreadsheets and CMDBs: the inventory record under its field names, then
 * connectivity, watermarks and cost. An empty cell is an unknown figure; lists are joined by `;`, maps are `key=value;…`.
 */
export function clustersCsv({ items, asOf }: ClusterList): string {
  const header = csvLine([...COLUMNS.map(({ name }) => name), "as_of"]);
  return header + items.map((cluster) => csvLine([...COLUMNS.map(({ of }) => of(cluster)), asOf])).join("");
}

function resourceColumns(name: string, key: string, unit: string): Column[] {
  const percent = (share: Share) => percentOf(share.part, share.whole);
  return [
    { name: `${name}_capacity_${unit}`, of: (cluster) => watermarkOf(cluster, key)?.capacity ?? null },
    { name: `${name}_allocatable_${unit}`, of: (cluster) => watermarkOf(cluster, key)?.allocatable ?? null },
    { name: `${name}_requested_${unit}`, of: (cluster) => watermarkOf(cluster, key)?.requested ?? null },
    { name: `${name}_requested_percent`, of: (cluster) => percent(requestedShare(watermarkOf(cluster, key))) },
    { name: `${name}_limits_${unit}`, of: (cluster) => watermarkOf(cluster, key)?.limits ?? null },
    { name: `${name}_used_${unit}`, of: (cluster) => watermarkOf(cluster, key)?.used ?? null },
    { name: `${name}_used_percent`, of: (cluster) => percent(usedShare(watermarkOf(cluster, key))) },
    { name: `${name}_pending_${unit}`, of: (cluster) => watermarkOf(cluster, key)?.pending ?? null },
  ];
}

/** A field of the record in one cell; what has another form than the contract's is unknown. */
function flat(value: unknown): CsvValue {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(String).join(";");
  if (typeof value !== "object" || value === null) return null;
  return Object.entries(value)
    .map(([key, part]) => `${key}=${String(part)}`)
    .join(";");
}
