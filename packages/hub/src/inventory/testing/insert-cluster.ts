import type { Store } from "../../store/store.ts";
import type { NewRow } from "../../store/tables.ts";

/** Adds a cluster's row as registration leaves it; for tests. */
export async function insertCluster(store: Store, given: Partial<NewRow<"clusters">> & { id: string }): Promise<void> {
  const row: NewRow<"clusters"> = {
    name: given.id,
    fingerprint: `fingerprint-of-${given.id}`,
    incarnation: 1,
    mode: "push",
    phase: "active",
    simulated: 0,
    base: "{}",
    labels: "{}",
    dynamic: null,
    capacity: null,
    detected: null,
    resource_states: null,
    session_epoch: 0,
    report_sequence: 0,
    resource_version: 1,
    observed_at_ms: null,
    received_at_ms: null,
    created_at_ms: 0,
    updated_at_ms: 0,
    ...given,
  };
  await store.db.insertInto("clusters").values(row).execute();
}
