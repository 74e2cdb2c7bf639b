import type { AuditRecord } from "@plimsoll/contracts/rest";

/** Facility 13 (log audit); severity 5 (notice) for what was allowed, 4 (warning) for the rest: RFC 5424, 6.2.1. */
const FACILITY = 13;

/** A row of the audit log as one line of syslog (RFC 5424). The message is the whole record as JSON. */
export function auditSyslogLine(record: AuditRecord): string {
  const priority = FACILITY * 8 + (record.outcome === "allowed" ? 5 : 4);
  const fields = {
    id: String(record.id),
    actor: record.actor,
    verb: record.verb,
    thing: record.thing,
    outcome: record.outcome,
    hash: record.hash,
  };
  const data = Object.entries(fields).map(([name, value]) => `${name}="${escaped(value)}"`);
  // 32473 is the enterprise number that RFC 5612 keeps for documentation: ours is not registered.
  return `<${priority}>1 ${record.at} - plimsoll - audit [audit@32473 ${data.join(" ")}] ${JSON.stringify(record)}\n`;
}

function escaped(value: string): string {
  return value.replaceAll(/["\\\]]/g, "\\$&").replaceAll(/\p{Cc}/gu, " ");
}
