import { CodedTable } from "./coded-table.ts";
import type { CostOwner, CostPlace, CostRecord } from "./cost-record.ts";
import { moneyCell, StagedTable } from "./staged-table.ts";

/** Columns of a cost file. Integrals may be sums beyond 64 bits, so they are decimals without places. */
export const COST_SELECT = `
  select cluster_id, hour_start_ms::bigint as hour_start_ms, up_to_ms::bigint as up_to_ms, revision::bigint as revision,
    node_uid, node_name, node_pool, machine_deployment, instance_id, instance_type, region, zone, namespace,
    workload_type, workload_name, cost_center, env, owner_team, coalesce(label_source, 'none') as label_source,
    coalesce(labels, '{}') as labels, mode, resource, resource_kind, cost_kind, pricing, price_source,
    requested::decimal(38, 0) as requested, used::decimal(38, 0) as used, allocated::decimal(38, 0) as allocated,
    cost, currency, coverage_ppm::integer as coverage_ppm
  from cost_rows join places using (place) join facets using (facet) left join owners using (owner)`;

const ROWS = {
  place: "code",
  owner: "code",
  facet: "code",
  hour_start_ms: "number",
  up_to_ms: "number",
  revision: "number",
  requested: "huge",
  used: "huge",
  allocated: "huge",
  cost: "money",
  coverage_ppm: "number",
} as const;

const PLACES = {
  cluster_id: "text",
  node_uid: "text",
  node_name: "text",
  node_pool: "text",
  machine_deployment: "text",
  instance_id: "text",
  instance_type: "text",
  region: "text",
  zone: "text",
  pricing: "text",
  price_source: "text",
} as const;

const OWNERS = {
  namespace: "text",
  workload_type: "text",
  workload_name: "text",
  cost_center: "text",
  env: "text",
  owner_team: "text",
  label_source: "text",
  labels: "text",
  mode: "text",
} as const;

const FACETS = { resource: "text", resource_kind: "text", cost_kind: "text", currency: "text" } as const;

/** Priced rows as the tables that `COST_SELECT` reads. */
export function stageCost(records: readonly CostRecord[]): Readonly<Record<string, StagedTable>> {
  const rows = new StagedTable(ROWS);
  const places = new CodedTable<CostPlace>("place", PLACES, placeCells);
  const owners = new CodedTable<CostOwner>("owner", OWNERS, ownerCells);
  const facets = new CodedTable<string>("facet", FACETS, (facet) => facet.split("\n"));
  for (const record of records) {
    const { resource, resourceKind, costKind, currency } = record;
    rows.add(
      places.number(record.place),
      record.owner === null ? null : owners.number(record.owner),
      facets.number(`${resource}\n${resourceKind}\n${costKind}\n${currency}`),
      record.hourStartMs,
      record.upToMs,
      record.revision,
      record.requested,
      record.used,
      record.allocated,
      moneyCell(record.cost),
      record.coveragePpm,
    );
  }
  return { cost_rows: rows, places: places.table, owners: owners.table, facets: facets.table };
}

function placeCells(place: CostPlace) {
  return [
    place.clusterId,
    place.nodeUid,
    place.nodeName,
    place.nodePool,
    place.machineDeployment,
    place.instanceId,
    place.instanceType,
    place.region,
    place.zone,
    place.pricing,
    place.priceSource,
  ];
}

function ownerCells(owner: CostOwner) {
  return [
    owner.namespace,
    owner.workloadType,
    owner.workloadName,
    owner.costCenter,
    owner.env,
    owner.ownerTeam,
    owner.labelSource,
    owner.labels,
    owner.mode,
  ];
}
