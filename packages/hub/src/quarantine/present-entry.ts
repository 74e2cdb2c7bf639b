import { ERROR_TABLE } from "@plimsoll/contracts";
import type { QuarantineItem } from "@plimsoll/contracts/rest";
import type { Registry } from "../inventory/registry.ts";
import type { QuarantineEntry } from "../ledger/quarantine.ts";

/** A row of the quarantine as its JSON. */
export function presentEntry(registry: Registry, entry: QuarantineEntry): QuarantineItem {
  const { cluster_id: id, replayed_at_ms: replayedAtMs } = entry;
  return {
    id: String(entry.id),
    cluster: id === null ? null : { id, name: registry.find(id)?.name ?? null },
    incarnation: entry.incarnation,
    spoolId: entry.spool_id,
    sequence: entry.sequence,
    code: entry.code,
    message: entry.message,
    remedy: remedyOf(entry.code),
    source: entry.source,
    bytes: entry.byte_count,
    kept: entry.is_kept,
    sha256: entry.sha256,
    times: entry.times,
    firstAt: instant(entry.first_at_ms),
    lastAt: instant(entry.last_at_ms),
    replayedAt: replayedAtMs === null ? null : instant(replayedAtMs),
  };
}

/** Codes of a later release, from before a downgrade, have no remedy here. */
function remedyOf(code: string): string {
  const known = Object.entries(ERROR_TABLE).find(([name]) => name === code);
  return known?.[1].remedy ?? "Upgrade the hub: this release does not know the reason";
}

/** Milliseconds since 1970 UTC as RFC 3339. */
export function instant(ms: number): string {
  return new Date(ms).toISOString();
}
