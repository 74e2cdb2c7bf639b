import { createHash } from "node:crypto";
import type { PlimsollError } from "@plimsoll/contracts";
import type { BatchKey } from "@plimsoll/contracts/wire";
import type { Quarantine } from "../ledger/quarantine.ts";
import type { IngestReject, IngestSource } from "./ingest.ts";

/** Bytes that cannot be applied, and why. */
export interface Faulty {
  readonly bytes: Uint8Array;
  readonly source: IngestSource;
  readonly error: PlimsollError;
  readonly atMs: number;
}

/** Keeps bytes whose envelope cannot be read or does not belong to the sender: no cluster's ledger hears of them. */
export function quarantineUnread(quarantine: Quarantine, faulty: Faulty): Promise<IngestReject> {
  return keep(quarantine, faulty, null);
}

/** Keeps a batch of a known key. */
export function quarantineBatch(quarantine: Quarantine, faulty: Faulty, key: BatchKey): Promise<IngestReject> {
  return keep(quarantine, faulty, key);
}

async function keep(quarantine: Quarantine, faulty: Faulty, key: BatchKey | null): Promise<IngestReject> {
  const { bytes, source, error, atMs } = faulty;
  const clusterId = key?.clusterId ?? source.clusterId;
  const place = { spoolId: key?.spoolId ?? null, sequence: key?.sequence ?? null };
  const { code, message } = error;
  await quarantine.keep({
    clusterId,
    incarnation: key?.incarnation ?? null,
    ...place,
    code,
    message,
    source: source.name,
    bytes,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    atMs,
  });
  return { kind: "reject", clusterId, ...place, code, message };
}
