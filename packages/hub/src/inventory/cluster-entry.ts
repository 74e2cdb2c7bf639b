import type { CapacityReport } from "@plimsoll/contracts";
import type { DetectedBase, DynamicLayer, ResourceReadState } from "@plimsoll/contracts/wire";
import type { Row } from "../store/tables.ts";
import type { ClusterPhase } from "../store/tables-fleet.ts";
import { type BaseLayer, STORED } from "./stored-documents.ts";

/** One registered cluster as the hub knows it, without what is heard of it from second to second (`Liveness`). */
export interface ClusterEntry {
  readonly id: string;
  readonly name: string;
  readonly fingerprint: string | null;
  readonly incarnation: number;
  readonly mode: "push" | "pull";
  readonly phase: ClusterPhase;
  readonly simulated: boolean;
  readonly base: BaseLayer;
  readonly labels: Readonly<Record<string, string>>;
  /** Null = nothing was reported yet. */
  readonly layer: DynamicLayer | null;
  readonly capacity: CapacityReport | null;
  readonly detected: DetectedBase | null;
  readonly readStates: readonly ResourceReadState[];
  readonly sessionEpoch: number;
  readonly reportSequence: number;
  readonly resourceVersion: number;
  /** Of the last accepted report: at the cluster, and here. */
  readonly observedAtMs: number | null;
  readonly receivedAtMs: number | null;
  readonly createdAtMs: number;
  /** When the agent's certificate ends; null = it has none. */
  readonly credentialExpiresAtMs: number | null;
}

/** A cluster's row with its documents read. */
export function toClusterEntry(row: Row<"clusters">, credentialExpiresAtMs: number | null): ClusterEntry {
  return {
    id: row.id,
    name: row.name,
    fingerprint: row.fingerprint,
    incarnation: row.incarnation,
    mode: row.mode,
    phase: row.phase,
    simulated: row.simulated === 1,
    base: STORED.base(row.base),
    labels: STORED.labels(row.labels),
    layer: row.dynamic === null ? null : STORED.layer(row.dynamic),
    capacity: row.capacity === null ? null : STORED.capacity(row.capacity),
    detected: row.detected === null ? null : STORED.detected(row.detected),
    readStates: row.resource_states === null ? [] : STORED.readStates(row.resource_states),
    sessionEpoch: row.session_epoch,
    reportSequence: row.report_sequence,
    resourceVersion: row.resource_version,
    observedAtMs: row.observed_at_ms,
    receivedAtMs: row.received_at_ms,
    createdAtMs: row.created_at_ms,
    credentialExpiresAtMs,
  };
}
