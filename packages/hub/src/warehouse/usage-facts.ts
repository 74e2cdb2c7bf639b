import type { Attribution, UsageRow } from "@plimsoll/contracts/wire";
import { CodedTable } from "./coded-table.ts";
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
    resource, coalesce(request, 0) as request, coalesce(usage, 0) as usage, coalesce(charged, 0) as charged,
    coalesce(usage_covered_ms, 0)::integer as usage_covered_ms
  from pods join batches using (batch) join attributions using (attribution) join modes using (mode_number)
    join node_names using (node_name_number) left join node_uids using (node_uid_number)
    left join integrals using (pod) left join resources using (resource_number)`;

const PODS = {
  pod: "code",
  batch: "code",
  attribution: "code",
  node_name_number: "code",
  node_uid_number: "code",
  mode_number: "code",
  pod_uid: "text",
  pod_name: "text",
  interval_start_ms: "number",
  hour_start_ms: "number",
  as_of_ms: "number",
  interval_end_ms: "number",
  clamped: "flag",
  billed_ms: "number",
  unseen_ms: "number",
} as const;

const INTEGRALS = {
  pod: "code",
  resource_number: "code",
  request: "big",
  usage: "big",
  charged: "big",
  usage_covered_ms: "number",
} as const;

const ATTRIBUTIONS = {
  namespace: "text",
  workload_type: "text",
  workload_name: "text",
  cost_center: "text",
  env: "text",
  owner_team: "text",
  label_source: "text",
  labels: "text",
} as const;

/** Usage batches as the tables that `USAGE_SELECT` reads. */
export function stageUsage(batches: BatchesOf<"usage">): Readonly<Record<string, StagedTable>> {
  const usage = new StagedUsage();
  for (const [batch, { facts }] of batches.entries()) for (const row of facts.rows) usage.add(batch, row);
  return { batches: stageKeys(batches.map(({ key }) => key)), ...usage.tables() };
}

class StagedUsage {
  private readonly pods = new StagedTable(PODS);
  private readonly integrals = new StagedTable(INTEGRALS);
  private readonly attributions = new CodedTable<Attribution>("attribution", ATTRIBUTIONS, attributionCells);
  private readonly nodeNames = codedTexts("node_name");
  private readonly nodeUids = codedTexts("node_uid");
  private readonly modes = codedTexts("mode");
  private readonly resources = codedTexts("resource");

  add(batch: number, row: UsageRow): void {
    const pod = this.pods.rows;
    this.pods.add(
      pod,
      batch,
      this.attributions.number(row.attribution),
      this.nodeNames.number(row.nodeName),
      row.nodeUid === null ? null : this.nodeUids.number(row.nodeUid),
      this.modes.number(row.mode),
      row.podUid,
      row.podName,
      row.intervalStartMs,
      row.hourStartMs,
      row.asOfMs,
      row.intervalEndMs,
      row.clamped,
      row.billedMs,
      row.unseenMs,
    );
    for (const [resource, { request, usage, charged, usageCoveredMs }] of row.resources) {
      this.integrals.add(pod, this.resources.number(resource), request, usage, charged, usageCoveredMs);
    }
  }

  tables(): Readonly<Record<string, StagedTable>> {
    return {
      pods: this.pods,
      integrals: this.integrals,
      attributions: this.attributions.table,
      node_names: this.nodeNames.table,
      node_uids: this.nodeUids.table,
      modes: this.modes.table,
      resources: this.resources.table,
    };
  }
}

function codedTexts(column: string): CodedTable<string> {
  return new CodedTable(`${column}_number`, { [column]: "text" }, (text) => [text]);
}

function attributionCells(attribution: Attribution) {
  return [
    attribution.namespace,
    attribution.workloadType,
    attribution.workloadName,
    attribution.costCenter,
    attribution.env,
    attribution.ownerTeam,
    attribution.labelSource,
    sortedLabels(attribution.labels),
  ];
}
