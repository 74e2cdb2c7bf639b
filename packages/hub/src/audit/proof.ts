/** What checks an audit log away from its hub: no store, no server. */
export { auditRow } from "./audit-record.ts";
export { type AuditVerdict, verifyAudit } from "./verify-audit.ts";
