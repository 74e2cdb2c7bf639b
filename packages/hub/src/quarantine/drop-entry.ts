import { PlimsollError } from "@plimsoll/contracts";
import type { QuarantineDrop } from "@plimsoll/contracts/rest";
import { type GapRow, parseEnvelope, sealBatch } from "@plimsoll/contracts/wire";
import type { RequestContext } from "../api/endpoint.ts";
import { writeAudit } from "../audit/audit.ts";
import type { ClusterEntry } from "../inventory/cluster-entry.ts";
import type { QuarantineEntry } from "../ledger/quarantine.ts";
import { HUB_SPOOL } from "../ledger/spool-state.ts";
import { instant } from "./present-entry.ts";
import { auditedEntry, type QuarantineDeps } from "./quarantine-deps.ts";

/** What is new in a batch is of one flush, and running intervals are told again within this, milliseconds. */
const TOLD_ANEW_MS = 5 * 60_000;

/**
 * Gives an entry up: first the audit log, then a gap record of what is missing from now on, then the entry goes. Repeating
 * it after a crash in between changes nothing more. Throws `hub_busy` when the gap cannot be stored now.
 */
export async function dropEntry(
  deps: QuarantineDeps,
  entry: QuarantineEntry,
  reason: string,
  { by, nowMs }: RequestContext,
): Promise<QuarantineDrop> {
  const id = String(entry.id);
  const change = { verb: "delete", noun: "quarantine", id, clusterId: entry.cluster_id } as const;
  const before = auditedEntry(entry);
  await deps.store.write((trx) => writeAudit(trx, by, { ...change, before, after: { reason } }, nowMs));
  const cluster = await missesFacts(deps, entry);
  const gap = cluster && gapOf(entry, await sealedAt(deps, entry), reason, nowMs);
  if (gap) await record(deps, cluster, entry.id, gap, nowMs);
  await deps.quarantine.remove(entry.id);
  return { id, gap: gap && presentGap(cluster, gap) };
}

/** The cluster that lacks its facts; null = none does. */
async function missesFacts({ registry }: QuarantineDeps, entry: QuarantineEntry): Promise<ClusterEntry | null> {
  const { cluster_id: id, replayed_at_ms: replayedAtMs, code } = entry;
  // Facts that were said to be another cluster's are not missing from the sender's.
  if (id === null || replayedAtMs !== null || code === "batch_of_other_cluster") return null;
  const cluster = registry.find(id);
  return cluster && cluster.phase !== "deregistered" ? cluster : null;
}

interface Sealed {
  readonly atMs: number;
  readonly kind: string | null;
  readonly rows: number;
}

/** When it was sealed and what it holds, as far as it can be read; else when it came. */
async function sealedAt({ quarantine }: QuarantineDeps, entry: QuarantineEntry): Promise<Sealed> {
  const bytes = await quarantine.bytes(entry.id);
  try {
    const { sealedAtMs, kind, rows } = parseEnvelope(bytes ?? new Uint8Array());
    return { atMs: Math.min(sealedAtMs, entry.first_at_ms), kind, rows };
  } catch {
    return { atMs: entry.first_at_ms, kind: null, rows: 0 };
  }
}

function gapOf(entry: QuarantineEntry, { atMs, kind, rows }: Sealed, reason: string, nowMs: number): GapRow {
  const { spool_id: spoolId, sequence } = entry;
  return {
    startMs: atMs - TOLD_ANEW_MS,
    endMs: atMs,
    asOfMs: Math.max(nowMs, atMs),
    reason: "quarantined",
    missing: kind,
    subject: null,
    detail: `Dropped from the quarantine (${entry.code}): ${reason}`,
    lostBatches: 1,
    lostRows: rows,
    lostBytes: entry.byte_count,
    lostSequences: spoolId === null || sequence === null ? null : { spoolId, first: sequence, last: sequence },
  };
}

async function record(
  { ingest }: QuarantineDeps,
  { id: clusterId, incarnation }: ClusterEntry,
  sequence: number,
  gap: GapRow,
  nowMs: number,
): Promise<void> {
  const facts = { sealedAtMs: nowMs, agentClockMs: nowMs, policyRevision: 0, replaces: null };
  // The entry's id is the sequence, so that a repeat is the same gap.
  const key = { clusterId, incarnation, spoolId: HUB_SPOOL, sequence };
  const { bytes } = sealBatch(key, { kind: "gap", rows: [gap] }, facts);
  const answer = await ingest.ingestEnvelope(bytes, { clusterId, name: "quarantine" });
  // A reject here is this same gap with other words, from an attempt before: it is recorded.
  if (answer.kind === "retry") throw new PlimsollError("hub_busy");
}

function presentGap({ name }: ClusterEntry, { startMs, endMs, missing, reason }: GapRow): QuarantineDrop["gap"] {
  return { cluster: name, startAt: instant(startMs), endAt: instant(endMs ?? startMs), missing, reason };
}
