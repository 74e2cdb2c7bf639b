import { createHash } from "node:crypto";
import type { PlimsollError } from "@plimsoll/contracts";
import type { BatchKey } from "@plimsoll/contracts/wire";
import type { Quarantine, QuarantinedBatch } from "../ledger/quarantine.ts";
import type { IngestReject, IngestSource } from "./ingest.ts";

/** Bytes that cannot be applied, and why. */
export interface Faulty {
  readonly bytes: Uint8Array;
  readonly source: IngestSource;
  readonly error: PlimsollError;
  readonly atMs: number;
}

/**
 * Keeps bytes whose envelope cannot be read or does not belong to the sender: no cluster's ledger hears of them. `key` is what
 * their envelope says: the sender is told which of its batches it is not to send again.
 */
export async function quarantineUnread(
  quarantine: Quarantine,
  faulty: Faulty,
  key: BatchKey | null,
): Promise<IngestReject> {
  const clusterId = faulty.source.clusterId ?? key?.clusterId ?? null;
  await keep(quarantine, faulty, { clusterId, incarnation: null, spoolId: null, sequence: null });
  return rejectOf(faulty, clusterId, key);
}

/** Keeps a batch of a known key. */
export async function quarantineBatch(quarantine: Quarantine, faulty: Faulty, key: BatchKey): Promise<IngestReject> {
  await keep(quarantine, faulty, key);
  return rejectOf(faulty, key.clusterId, key);
}

function rejectOf({ error }: Faulty, clusterId: string | null, key: BatchKey | null): IngestReject {
  const { code, message } = error;
  const place = { spoolId: key?.spoolId ?? null, sequence: key?.sequence ?? null };
  return { kind: "reject", clusterId, ...place, code, message };
}

type Place = Pick<QuarantinedBatch, "clusterId" | "incarnation" | "spoolId" | "sequence">;

function keep(quarantine: Quarantine, { bytes, source, error, atMs }: Faulty, place: Place): Promise<void> {
  const { clusterId, incarnation, spoolId, sequence } = place;
  const { code, message } = error;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const said = { code, message, source: source.name, bytes, sha256, atMs };
  return quarantine.keep({ clusterId, incarnation, spoolId, sequence, ...said });
}
