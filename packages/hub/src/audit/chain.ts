import { createHash } from "node:crypto";
import type { Row } from "../store/tables.ts";

/** A row of the audit log without what the chain adds to it. */
export type ChainedFields = Omit<Row<"audit">, "previous_hash" | "hash">;

/** What the first row of a log stands on: SHA-256 of a fixed text, hex. */
export const GENESIS = createHash("sha256").update("plimsoll audit log").digest("hex");

/**
 * Hash of a row, hex: SHA-256 over the row's fields in a fixed order, with the hash of the row before. Whoever changes,
 * removes or moves a row must change every later one, and the checkpoints that were signed since.
 */
export function rowHash(previousHash: string, row: ChainedFields): string {
  const fields = [
    previousHash,
    row.id,
    row.at_ms,
    row.actor,
    row.on_behalf_of,
    row.channel,
    row.address,
    row.verb,
    row.thing,
    row.thing_id,
    row.cluster_id,
    row.outcome,
    row.code,
    row.reason,
    row.detail,
    row.request_id,
  ];
  // JSON tells null from "null" and keeps fields apart whatever stands in them.
  return createHash("sha256").update(JSON.stringify(fields)).digest("hex");
}
