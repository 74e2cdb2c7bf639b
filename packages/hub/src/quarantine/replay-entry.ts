import { PlimsollError } from "@plimsoll/contracts";
import type { QuarantineReplay } from "@plimsoll/contracts/rest";
import type { RequestContext } from "../api/endpoint.ts";
import { writeAudit } from "../audit/audit.ts";
import type { IngestAnswer } from "../ingest/ingest.ts";
import type { QuarantineEntry } from "../ledger/quarantine.ts";
import { auditedEntry, type QuarantineDeps } from "./quarantine-deps.ts";

/** Lets an entry go through ingest again, as it is. Throws `quarantine_bytes_gone`. */
export async function replayEntry(
  { store, ingest }: QuarantineDeps,
  entry: QuarantineEntry,
  { by, nowMs }: RequestContext,
): Promise<QuarantineReplay> {
  const id = String(entry.id);
  if (!entry.is_kept) throw new PlimsollError("quarantine_bytes_gone", { entry: id });
  const change = { verb: "update", noun: "quarantine", id, clusterId: entry.cluster_id } as const;
  await store.write((trx) =>
    writeAudit(trx, by, { ...change, before: auditedEntry(entry), after: { replay: true } }, nowMs),
  );
  const answer = await ingest.replay(entry.id);
  // Somebody has dropped it meanwhile.
  if (answer === null) throw new PlimsollError("quarantine_unknown", { entry: id });
  return { id, ...outcomeOf(answer) };
}

function outcomeOf(answer: IngestAnswer): Omit<QuarantineReplay, "id"> {
  switch (answer.kind) {
    case "ack":
      return { outcome: answer.verdict, code: null, message: null };
    case "reject":
      return { outcome: "rejected", code: answer.code, message: answer.message };
    case "deregistered":
      return { outcome: "deregistered", code: null, message: answer.message };
    case "retry":
      return { outcome: "retry", code: answer.code, message: null };
  }
}
