import type { DynamicFacts, ResourceReadState } from "@plimsoll/contracts/wire";
import type { Store } from "../store/store.ts";
import type { Row } from "../store/tables.ts";
import { type ClusterEntry, toClusterEntry } from "./cluster-entry.ts";
import { keepLastValues, type Reported } from "./keep-last-values.ts";
import { toStoredText } from "./stored-documents.ts";

/** What orders the reports of one cluster. */
export interface ReportStamp {
  readonly incarnation: number;
  readonly sessionEpoch: number;
  readonly sequence: number;
}

/**
 * applied: the record changed. unchanged: newer, and the same. stale: not newer than what is known; nothing happened.
 * deregistered: the cluster, or this incarnation of it, is gone: stop.
 */
export type ReportVerdict = "applied" | "unchanged" | "stale" | "deregistered";

/** A report of a cluster on its way into the registry. */
export interface ArrivedReport {
  readonly clusterId: string;
  readonly stamp: ReportStamp;
  /** The cluster as it is known now: newer than its row where an unchanged report was not written. */
  readonly known: ClusterEntry | undefined;
  readonly facts: DynamicFacts;
  readonly receivedAtMs: number;
  /** Writes the row also when only its times differ: for another process that shows it. */
  readonly isShownElsewhere: boolean;
}

/** What came of it; `entry` = the cluster as it is now, where it is another than before. */
export interface AppliedReport {
  readonly verdict: ReportVerdict;
  readonly entry?: ClusterEntry;
}

/** Takes a report over in one transaction, if it is newer. */
export function applyReport(store: Store, report: ArrivedReport): Promise<AppliedReport> {
  return store.write(async (trx): Promise<AppliedReport> => {
    const row = await trx.selectFrom("clusters").selectAll().where("id", "=", report.clusterId).executeTakeFirst();
    const refusal = judge(row, report);
    if (!row || refusal !== null) return { verdict: refusal ?? "deregistered" };
    const changed = changedColumns(row, report);
    const next = { ...row, ...changed.columns };
    const entry = toClusterEntry(next, report.known?.credentialExpiresAtMs ?? null);
    if (changed.anything || report.isShownElsewhere) {
      await trx.updateTable("clusters").set(changed.columns).where("id", "=", row.id).execute();
    }
    return { verdict: changed.record ? "applied" : "unchanged", entry };
  });
}

function judge(row: Row<"clusters"> | undefined, { stamp, known }: ArrivedReport): "stale" | "deregistered" | null {
  // A greater incarnation than the hub ever gave is nobody's.
  if (!row || row.phase === "deregistered" || stamp.incarnation !== row.incarnation) return "deregistered";
  if (stamp.sessionEpoch !== row.session_epoch) return stamp.sessionEpoch > row.session_epoch ? null : "stale";
  const last = known?.sessionEpoch === row.session_epoch ? known.reportSequence : 0;
  return stamp.sequence > Math.max(last, row.report_sequence) ? null : "stale";
}

/** `record`: the inventory record differs; `anything`: or what stands beside it, such as watermarks. */
function changedColumns(row: Row<"clusters">, { stamp, facts, receivedAtMs }: ArrivedReport) {
  const before = reportedBefore(row);
  const next = keepLastValues(before, facts);
  const record = { dynamic: toStoredText(next.layer), detected: toStoredText(next.detected) };
  const capacity = next.capacity && toStoredText(next.capacity);
  const recordChanged = record.dynamic !== row.dynamic || record.detected !== row.detected;
  const besideChanged =
    capacity !== row.capacity || describeStates(next.resourceStates) !== describeStates(before?.resourceStates ?? []);
  return {
    record: recordChanged,
    anything: recordChanged || besideChanged,
    columns: {
      ...record,
      capacity,
      resource_states: toStoredText(next.resourceStates),
      session_epoch: stamp.sessionEpoch,
      report_sequence: stamp.sequence,
      resource_version: row.resource_version + (recordChanged ? 1 : 0),
      observed_at_ms: facts.observedAtMs,
      received_at_ms: receivedAtMs,
      updated_at_ms: receivedAtMs,
    },
  };
}

/** How well everything is read, without when: time alone is no change. */
function describeStates(states: readonly ResourceReadState[]): string {
  return toStoredText(states.map(({ resource, state, errorCode }) => [resource, state, errorCode]));
}

function reportedBefore(row: Row<"clusters">): Reported | null {
  const { layer, capacity, detected, readStates } = toClusterEntry(row, null);
  return layer === null || detected === null ? null : { layer, capacity, detected, resourceStates: readStates };
}
