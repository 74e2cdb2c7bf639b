import type { NodeQuantities, NodeRow } from "@plimsoll/contracts/wire";
import type { BatchesOf } from "./fact-batch.ts";
import { stageKeys } from "./staged-keys.ts";
import { StagedTable } from "./staged-table.ts";

/** Columns of a node file: one row per (node, hour, resource); a node that says nothing of itself has one without. */
export const NODE_SELECT = `
  select cluster_id, incarnation::bigint as incarnation, spool_id, sequence::bigint as sequence,
    node_uid, hour_start_ms::bigint as hour_start_ms, as_of_ms::bigint as as_of_ms, node_name,
    created_ms::bigint as created_ms, deleted_ms::bigint as deleted_ms, instance_type, region, zone, pool,
    machine_deployment, provider_id, spot, virtual, present_ms::integer as present_ms,
    schedulable_ms::integer as schedulable_ms, resource, capacity, allocatable
  from node_rows join batches using (batch)`;

const ROWS = {
  batch: "code",
  node_uid: "text",
  hour_start_ms: "number",
  as_of_ms: "number",
  node_name: "text",
  created_ms: "number",
  deleted_ms: "number",
  instance_type: "text",
  region: "text",
  zone: "text",
  pool: "text",
  machine_deployment: "text",
  provider_id: "text",
  spot: "flag",
  virtual: "flag",
  present_ms: "number",
  schedulable_ms: "number",
  resource: "text",
  capacity: "big",
  allocatable: "big",
} as const;

const NO_RESOURCE = [null, { capacity: 0n, allocatable: 0n }] as const;

/** Node batches as the tables that `NODE_SELECT` reads. */
export function stageNodes(batches: BatchesOf<"node">): Readonly<Record<string, StagedTable>> {
  const rows = new StagedTable(ROWS);
  for (const [batch, { facts }] of batches.entries()) {
    for (const row of facts.rows) {
      for (const [resource, quantities] of row.resources.size > 0 ? row.resources : [NO_RESOURCE]) {
        addNode(rows, batch, row, resource, quantities);
      }
    }
  }
  return { node_rows: rows, batches: stageKeys(batches.map(({ key }) => key)) };
}

function addNode(
  rows: StagedTable,
  batch: number,
  row: NodeRow,
  resource: string | null,
  { capacity, allocatable }: NodeQuantities,
): void {
  rows.add(
    batch,
    row.nodeUid,
    row.hourStartMs,
    row.asOfMs,
    row.nodeName,
    row.createdMs,
    row.deletedMs,
    row.instanceType,
    row.region,
    row.zone,
    row.pool,
    row.machineDeployment,
    row.providerId,
    row.spot,
    row.virtual,
    row.presentMs,
    row.schedulableMs,
    resource,
    capacity,
    allocatable,
  );
}
