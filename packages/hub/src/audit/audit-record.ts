import type { AuditRecord } from "@plimsoll/contracts/rest";
import { z } from "zod";
import type { Row } from "../store/tables.ts";

const Detail = z.object({ before: z.unknown(), after: z.unknown() });

/** A row of the audit log as the API shows it. */
export function auditRecord(row: Row<"audit">): AuditRecord {
  const { before, after } = Detail.parse(JSON.parse(row.detail));
  return {
    id: row.id,
    at: new Date(row.at_ms).toISOString(),
    actor: row.actor,
    onBehalfOf: row.on_behalf_of,
    channel: row.channel,
    address: row.address,
    verb: row.verb,
    thing: row.thing,
    thingId: row.thing_id,
    clusterId: row.cluster_id,
    outcome: row.outcome,
    code: row.code,
    reason: row.reason,
    before: before ?? null,
    after: after ?? null,
    requestId: row.request_id,
    previousHash: row.previous_hash,
    hash: row.hash,
  };
}

/** The row that a record was made of, to check its hash where only the record is at hand. */
export function auditRow(record: AuditRecord): Row<"audit"> {
  const { before, after } = record;
  return {
    id: record.id,
    at_ms: Date.parse(record.at),
    actor: record.actor,
    on_behalf_of: record.onBehalfOf,
    channel: record.channel,
    address: record.address,
    verb: record.verb,
    thing: record.thing,
    thing_id: record.thingId,
    cluster_id: record.clusterId,
    outcome: record.outcome,
    code: record.code,
    reason: record.reason,
    detail: JSON.stringify({ before, after }),
    request_id: record.requestId,
    previous_hash: record.previousHash,
    hash: record.hash,
  };
}
