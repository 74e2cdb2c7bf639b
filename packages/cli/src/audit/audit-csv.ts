import type { AuditRecord } from "@plimsoll/contracts/rest";
import { type CsvValue, csvLine } from "../render/csv-cell.ts";

const COLUMNS: readonly (readonly [string, (record: AuditRecord) => CsvValue])[] = [
  ["id", ({ id }) => id],
  ["at", ({ at }) => at],
  ["actor", ({ actor }) => actor],
  ["on_behalf_of", ({ onBehalfOf }) => onBehalfOf],
  ["channel", ({ channel }) => channel],
  ["address", ({ address }) => address],
  ["verb", ({ verb }) => verb],
  ["thing", ({ thing }) => thing],
  ["thing_id", ({ thingId }) => thingId],
  ["cluster_id", ({ clusterId }) => clusterId],
  ["outcome", ({ outcome }) => outcome],
  ["code", ({ code }) => code],
  ["reason", ({ reason }) => reason],
  ["before", ({ before }) => JSON.stringify(before)],
  ["after", ({ after }) => JSON.stringify(after)],
  ["request_id", ({ requestId }) => requestId],
  ["previous_hash", ({ previousHash }) => previousHash],
  ["hash", ({ hash }) => hash],
];

/** The header of the audit log as CSV. */
export const AUDIT_CSV_HEADER = csvLine(COLUMNS.map(([name]) => name));

/** One row of the audit log as a line of CSV. */
export function auditCsvLine(record: AuditRecord): string {
  return csvLine(COLUMNS.map(([, of]) => of(record)));
}

/** Rows of the audit log as CSV with its header. */
export function auditCsv(records: readonly AuditRecord[]): string {
  return AUDIT_CSV_HEADER + records.map(auditCsvLine).join("");
}
