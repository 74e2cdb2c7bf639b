import { PlimsollError } from "@plimsoll/contracts";
import type { Ingest } from "../ingest/ingest.ts";
import type { Registry } from "../inventory/registry.ts";
import type { Quarantine, QuarantineEntry } from "../ledger/quarantine.ts";
import type { ClusterScope } from "../store/cluster-scope.ts";
import type { Store } from "../store/store.ts";

/** What the endpoints of the quarantine work with. */
export interface QuarantineDeps {
  readonly store: Store;
  readonly quarantine: Quarantine;
  readonly registry: Registry;
  readonly ingest: Pick<Ingest, "ingestEnvelope" | "replay">;
}

/** One entry. Throws `quarantine_unknown` also for one of a cluster outside the scope: nobody is told that it is there. */
export async function entryOf(deps: QuarantineDeps, id: number, scope: ClusterScope): Promise<QuarantineEntry> {
  const entry = await deps.quarantine.find(id);
  const isSeen = scope === "all" || (entry !== null && entry.cluster_id !== null && scope.has(entry.cluster_id));
  if (entry && isSeen) return entry;
  throw new PlimsollError("quarantine_unknown", { entry: id });
}

/** An entry as the audit log keeps it. */
export function auditedEntry(entry: QuarantineEntry): Readonly<Record<string, unknown>> {
  const { cluster_id, incarnation, spool_id, sequence, code, byte_count, sha256, times, source } = entry;
  return { cluster_id, incarnation, spool_id, sequence, code, byte_count, sha256, times, source };
}
