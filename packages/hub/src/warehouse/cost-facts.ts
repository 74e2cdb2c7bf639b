import type { CostRecord } from "./cost-record.ts";
import { moneyCell, StagedTable } from "./staged-table.ts";

/** Columns of a cost file. Integrals may be sums beyond 64 bits, so they are decimals without places. */
export const COST_SELECT = `
  select cluster_id, hour_start_ms::bigint as hour_start_ms, up_to_ms::bigint as up_to_ms, revision::bigint as revision,
    node_uid, node_name, node_pool, machine_deployment, instance_id, instance_type, region, zone, namespace,
    workload_type, workload_name, cost_center, env, owner_team, label_source, labels, mode, resource, resource_kind,
    cost_kind, pricing, price_source, requested::decimal(38, 0) as requested, used::decimal(38, 0) as used,
    allocated::decimal(38, 0) as allocated, cost, currency, coverage_ppm::integer as coverage_ppm
  from cost_rows`;

const ROWS = {
  cluster_id: "text",
  hour_start_ms: "number",
  up_to_ms: "number",
  revision: "number",
  node_uid: "text",
  node_name: "text",
  node_pool: "text",
  machine_deployment: "text",
  instance_id: "text",
  instance_type: "text",
  region: "text",
  zone: "text",
  namespace: "text",
  workload_type: "text",
  workload_name: "text",
  cost_center: "text",
  env: "text",
  owner_team: "text",
  label_source: "text",
  labels: "text",
  mode: "text",
  resource: "text",
  resource_kind: "text",
  cost_kind: "text",
  pricing: "text",
  price_source: "text",
  requested: "huge",
  used: "huge",
  allocated: "huge",
  cost: "money",
  currency: "text",
  coverage_ppm: "number",
} as const;

/** Priced rows as the table that `COST_SELECT` reads. */
export function stageCost(records: readonly CostRecord[]): Readonly<Record<string, StagedTable>> {
  const rows = new StagedTable(ROWS);
  for (const record of records) {
    rows.add(
      record.clusterId,
      record.hourStartMs,
      record.upToMs,
      record.revision,
      record.nodeUid,
      record.nodeName,
      record.nodePool,
      record.machineDeployment,
      record.instanceId,
      record.instanceType,
      record.region,
      record.zone,
      record.namespace,
      record.workloadType,
      record.workloadName,
      record.costCenter,
      record.env,
      record.ownerTeam,
      record.labelSource,
      record.labels,
      record.mode,
      record.resource,
      record.resourceKind,
      record.costKind,
      record.pricing,
      record.priceSource,
      record.requested,
      record.used,
      record.allocated,
      moneyCell(record.cost),
      record.currency,
      record.coveragePpm,
    );
  }
  return { cost_rows: rows };
}
