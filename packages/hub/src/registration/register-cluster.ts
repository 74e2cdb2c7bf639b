import { randomUUIDv7 } from "node:crypto";
import { PlimsollError } from "@plimsoll/contracts";
import type { Transaction } from "kysely";
import { type ChangeBy, writeAudit } from "../audit/audit.ts";
import { STORED } from "../inventory/stored-documents.ts";
import type { Row, Tables } from "../store/tables.ts";

/** A cluster that wants to be registered. */
export interface Candidate {
  readonly name: string;
  /** UID of namespace kube-system. */
  readonly fingerprint: string;
  readonly mode: "push" | "pull";
  readonly labels: Readonly<Record<string, string>>;
  readonly simulated: boolean;
}

/** The cluster that it is now. */
export interface Registered {
  readonly id: string;
  readonly incarnation: number;
  /** It had been registered before, and comes back. */
  readonly reattached: boolean;
}

/**
 * Registers a cluster, or finds the one that comes back: same fingerprint and same name. Throws `cluster_already_registered`
 * (same fingerprint, another name: the answer names the one that exists) and `cluster_name_taken` (same name, another
 * fingerprint). Names, fingerprints and the row change in the transaction of the caller, together with its credential.
 */
export async function registerCluster(
  trx: Transaction<Tables>,
  candidate: Candidate,
  by: ChangeBy,
  nowMs: number,
): Promise<Registered> {
  const known = await findKnown(trx, candidate);
  return known ? reattach(trx, known, candidate, by, nowMs) : insert(trx, candidate, by, nowMs);
}

async function findKnown(trx: Transaction<Tables>, candidate: Candidate): Promise<Row<"clusters"> | undefined> {
  const { name, fingerprint } = candidate;
  const rows = await trx
    .selectFrom("clusters")
    .selectAll()
    .where("phase", "!=", "deregistered")
    .where(({ or, eb }) => or([eb("name", "=", name), eb("fingerprint", "=", fingerprint)]))
    .execute();
  const same = rows.find((row) => row.fingerprint === fingerprint);
  if (same && same.name !== name) throw new PlimsollError("cluster_already_registered", { cluster: same.name });
  const namesake = rows.find((row) => row.name === name && row.fingerprint !== fingerprint);
  if (!namesake) return same;
  throw new PlimsollError("cluster_name_taken", { cluster: name, fingerprint: namesake.fingerprint ?? "unknown" });
}

async function reattach(
  trx: Transaction<Tables>,
  known: Row<"clusters">,
  candidate: Candidate,
  by: ChangeBy,
  nowMs: number,
): Promise<Registered> {
  const labels = { ...STORED.labels(known.labels), ...candidate.labels };
  const before = { mode: known.mode, labels: STORED.labels(known.labels) };
  const change = { verb: "join", noun: "cluster", id: known.name, clusterId: known.id } as const;
  await writeAudit(trx, by, { ...change, before, after: { mode: candidate.mode, labels, reattached: true } }, nowMs);
  await trx
    .updateTable("clusters")
    .set({
      mode: candidate.mode,
      labels: JSON.stringify(labels),
      resource_version: known.resource_version + 1,
      updated_at_ms: nowMs,
    })
    .where("id", "=", known.id)
    .execute();
  return { id: known.id, incarnation: known.incarnation, reattached: true };
}

async function insert(
  trx: Transaction<Tables>,
  candidate: Candidate,
  by: ChangeBy,
  nowMs: number,
): Promise<Registered> {
  const id = randomUUIDv7();
  const { name, fingerprint, mode, labels, simulated } = candidate;
  const after = { name, fingerprint, mode, labels, incarnation: 1 };
  await writeAudit(trx, by, { verb: "join", noun: "cluster", id: name, clusterId: id, after }, nowMs);
  await trx
    .insertInto("clusters")
    .values({
      id,
      name,
      fingerprint,
      incarnation: 1,
      mode,
      phase: "active",
      simulated: simulated ? 1 : 0,
      base: "{}",
      labels: JSON.stringify(labels),
      session_epoch: 0,
      report_sequence: 0,
      resource_version: 1,
      created_at_ms: nowMs,
      updated_at_ms: nowMs,
    })
    .execute();
  return { id, incarnation: 1, reattached: false };
}
