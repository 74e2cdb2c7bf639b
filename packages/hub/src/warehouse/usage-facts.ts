import type { Attribution, UsageRow } from "@plimsoll/contracts/wire";
import type { BatchesOf } from "./fact-batch.ts";
import { sortedLabels } from "./sorted-labels.ts";
import { stageKeys } from "./staged-keys.ts";
import { StagedTable } from "./staged-table.ts";

/** Columns of a usage file: one row per (pod, interval, hour, resource); a pod without any resource has one without. */
export const USAGE_SELECT = `
  select cluster_id, incarnation::bigint as incarnation, spool_id, sequence::bigint as sequence,
    pod_uid, interval_start_ms::bigint as interval_start_ms, hour_start_ms::bigint as hour_start_ms,
    as_of_ms::bigint as as_of_ms, interval_end_ms::bigint as interval_end_ms, clamped,
    billed_ms::integer as billed_ms, unseen_ms::integer as unseen_ms, mode, pod_name, node_name, node_uid,
    namespace, workload_type, workload_name, cost_center, env, owner_team, label_source, labels,
    resource, request, usage, charged, usage_covered_ms::integer as usage_covered_ms
  from usage_rows join batches using (batch) left join attributions using (attribution)`;

const ROWS = {
  batch: "number",
  attribution: "number",
  pod_uid: "text",
  interval_start_ms: "number",
  hour_start_ms: "number",
  as_of_ms: "number",
  interval_end_ms: "number",
  clamped: "flag",
  billed_ms: "number",
  unseen_ms: "number",
  mode: "text",
  pod_name: "text",
  node_name: "text",
  node_uid: "text",
  resource: "text",
  request: "big",
  usage: "big",
  charged: "big",
  usage_covered_ms: "number",
} as const;

const ATTRIBUTIONS = {
  attribution: "number",
  namespace: "text",
  workload_type: "text",
  workload_name: "text",
  cost_center: "text",
  env: "text",
  owner_team: "text",
  label_source: "text",
  labels: "text",
} as const;

const NO_RESOURCE = [null, { request: 0n, usage: 0n, charged: 0n, usageCoveredMs: 0 }] as const;

/** Usage batches as the tables that `USAGE_SELECT` reads. */
export function stageUsage(batches: BatchesOf<"usage">): Readonly<Record<string, StagedTable>> {
  const rows = new StagedTable(ROWS);
  const attributions = new StagedTable(ATTRIBUTIONS);
  const numbers = new Map<Attribution, number>();
  const numberOf = (attribution: Attribution): number => {
    const known = numbers.get(attribution);
    if (known !== undefined) return known;
    const number = numbers.size;
    numbers.set(attribution, number);
    addAttribution(attributions, number, attribution);
    return number;
  };
  for (const [batch, { facts }] of batches.entries()) {
    for (const row of facts.rows) addUsage(rows, batch, numberOf(row.attribution), row);
  }
  return { usage_rows: rows, batches: stageKeys(batches.map(({ key }) => key)), attributions };
}

function addUsage(rows: StagedTable, batch: number, attribution: number, row: UsageRow): void {
  for (const [resource, integrals] of row.resources.size > 0 ? row.resources : [NO_RESOURCE]) {
    rows.add(
      batch,
      attribution,
      row.podUid,
      row.intervalStartMs,
      row.hourStartMs,
      row.asOfMs,
      row.intervalEndMs,
      row.clamped,
      row.billedMs,
      row.unseenMs,
      row.mode,
      row.podName,
      row.nodeName,
      row.nodeUid,
      resource,
      integrals.request,
      integrals.usage,
      integrals.charged,
      integrals.usageCoveredMs,
    );
  }
}

function addAttribution(table: StagedTable, number: number, attribution: Attribution): void {
  table.add(
    number,
    attribution.namespace,
    attribution.workloadType,
    attribution.workloadName,
    attribution.costCenter,
    attribution.env,
    attribution.ownerTeam,
    attribution.labelSource,
    sortedLabels(attribution.labels),
  );
}
