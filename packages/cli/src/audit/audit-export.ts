import type { AuditRecord } from "@plimsoll/contracts/rest";
import { EXIT } from "../exit-code.ts";
import type { CommandContext } from "../program.ts";
import { openHub } from "../rest/hub-client.ts";
import { hubTarget } from "../rest/hub-target.ts";
import { checkOutput, writeOutput } from "../write-output.ts";
import type { AuditExportOptions } from "./audit-command.ts";
import { AUDIT_CSV_HEADER, auditCsvLine } from "./audit-csv.ts";
import { auditSyslogLine } from "./audit-syslog.ts";
import { readAudit } from "./read-audit.ts";

/** How a form begins, and how it writes a row. */
interface Form {
  readonly header: string;
  readonly line: (record: AuditRecord) => string;
}

const NDJSON: Form = { header: "", line: (record) => `${JSON.stringify(record)}\n` };
const FORMS: Readonly<Record<string, Form>> = {
  ndjson: NDJSON,
  csv: { header: AUDIT_CSV_HEADER, line: auditCsvLine },
  syslog: { header: "", line: auditSyslogLine },
};

/** Writes the audit log, oldest first. Gives the exit code. */
export async function auditExport(options: AuditExportOptions, context: CommandContext): Promise<number> {
  const { output, format } = options;
  if (output !== undefined) await checkOutput(output);
  const hub = openHub(await hubTarget(options, context.terminal.env), context.signal);
  const { header, line } = FORMS[format] ?? NDJSON;
  const lines: string[] = [header];
  for await (const record of readAudit(hub, options)) {
    lines.push(line(record));
    // To a file it is written whole or not at all; to a pipe as fast as that is read.
    if (output === undefined && lines.length >= LINES) await context.terminal.out.writeAll(lines.splice(0).join(""));
  }
  if (output === undefined) await context.terminal.out.writeAll(lines.join(""));
  else await writeOutput(output, lines.join(""));
  return EXIT.ok;
}

/** Lines that are written at once. */
const LINES = 1000;
