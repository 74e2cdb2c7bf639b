import type { BatchKey } from "@plimsoll/contracts/wire";
import { StagedTable } from "./staged-table.ts";

const KEYS = {
  batch: "code",
  cluster_id: "text",
  incarnation: "number",
  spool_id: "text",
  sequence: "number",
} as const;

/** Keys of batches as a table, so that each text is handed over once. */
export function stageKeys(keys: readonly BatchKey[]): StagedTable {
  const table = new StagedTable(KEYS);
  for (const [batch, key] of keys.entries()) {
    table.add(batch, key.clusterId, key.incarnation, key.spoolId, key.sequence);
  }
  return table;
}
