import { reportError } from "@plimsoll/contracts";
import type { QuarantineView } from "@plimsoll/contracts/rest";
import { type Envelope, openEnvelope, parseEnvelope } from "@plimsoll/contracts/wire";
import type { QuarantineEntry } from "../ledger/quarantine.ts";
import { type ClusterScope, inScope } from "../store/cluster-scope.ts";
import { instant, presentEntry } from "./present-entry.ts";
import type { QuarantineDeps } from "./quarantine-deps.ts";

/** Rows that are shown of a batch. */
const PREVIEW_ROWS = 5;

/** One entry, with as much of it as can be read and, by its key, may be seen: the sender's people may not see another cluster's facts. */
export async function viewEntry(
  { quarantine, registry }: QuarantineDeps,
  entry: QuarantineEntry,
  scope: ClusterScope,
): Promise<QuarantineView> {
  const item = presentEntry(registry, entry);
  const bytes = await quarantine.bytes(entry.id);
  if (bytes === null) return { ...item, head: null, preview: null, previewFault: null };
  const envelope = attempt(() => parseEnvelope(bytes));
  if ("fault" in envelope) return { ...item, head: null, preview: null, previewFault: envelope.fault };
  if (!inScope(scope, envelope.value.key.clusterId))
    return { ...item, head: null, preview: null, previewFault: UNSEEN };
  const head = headOf(envelope.value);
  const batch = attempt(() => openEnvelope(envelope.value));
  if ("fault" in batch) return { ...item, head, preview: null, previewFault: batch.fault };
  const { rows } = batch.value;
  const first = rows.slice(0, PREVIEW_ROWS).map((row) => readable(row));
  return { ...item, head, preview: { rows: rows.length, first }, previewFault: null };
}

/** Says nothing of the other cluster, not even whether there is one. */
const UNSEEN = {
  code: "forbidden",
  message: "It holds facts of a cluster that you may not see",
};

function headOf(envelope: Envelope): NonNullable<QuarantineView["head"]> {
  const { key, kind, kindNumber, codec, rows, rawBytes, sealedAtMs, policyRevision, replaces } = envelope;
  const sealedAt = instant(sealedAtMs);
  return { clusterId: key.clusterId, kind, kindNumber, codec, rows, rawBytes, sealedAt, policyRevision, replaces };
}

type Attempt<T> = { readonly value: T } | { readonly fault: { readonly code: string; readonly message: string } };

function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { value: work() };
  } catch (error) {
    const { code, message } = reportError(error);
    return { fault: { code, message } };
  }
}

/** A row as JSON: whole numbers of any size as digits, maps as objects. */
function readable(row: object): Record<string, unknown> {
  const text = JSON.stringify(row, (_, value: unknown) => {
    if (typeof value === "bigint") return value.toString();
    return value instanceof Map ? Object.fromEntries(value) : value;
  });
  return JSON.parse(text);
}
