import { readFile } from "node:fs/promises";
import { PlimsollError } from "@plimsoll/contracts";
import { AuditCheckpoints, AuditRecord } from "@plimsoll/contracts/rest";
import { type AuditVerdict, auditRow, verifyAudit } from "@plimsoll/hub/audit";
import { EXIT } from "../exit-code.ts";
import { formatCount } from "../format/quantity.ts";
import type { CommandContext } from "../program.ts";
import { joinBlocks, layText, noteWidth } from "../render/table/note-layout.ts";
import { openHub } from "../rest/hub-client.ts";
import { hubTarget } from "../rest/hub-target.ts";
import { showAnswer } from "../rest/show-answer.ts";
import type { AuditVerifyOptions } from "./audit-command.ts";
import { readAudit } from "./read-audit.ts";

/** Checks the audit log, of the hub or of an export. Gives the exit code: 3 when it is not what was written. */
export async function auditVerify(options: AuditVerifyOptions, context: CommandContext): Promise<number> {
  const { file, checkpoints } = options;
  const askHub = async () => openHub(await hubTarget(options, context.terminal.env), context.signal);
  const { publicKey, items } =
    checkpoints === undefined
      ? (await (await askHub()).get("/api/v1/audit/checkpoints", {}, AuditCheckpoints)).value
      : parsed(checkpoints, await read(checkpoints), AuditCheckpoints);
  const records = file === undefined ? readAudit(await askHub(), {}) : recordsOf(file, await read(file));
  const verdict = await verifyAudit(rowsOf(records), items, publicKey);
  const answer = { text: JSON.stringify(verdict), value: verdict };
  await showAnswer<AuditVerdict>(
    {
      ask: async () => answer,
      table: (found, { width }) => joinBlocks([layText(verdictLines(found), noteWidth(width))]),
      partial: () => false,
    },
    options,
    context,
  );
  return verdict.faults.length === 0 ? EXIT.ok : EXIT.findings;
}

async function* rowsOf(records: AsyncIterable<AuditRecord> | Iterable<AuditRecord>) {
  for await (const record of records) yield auditRow(record);
}

function* recordsOf(path: string, text: string): Generator<AuditRecord> {
  for (const line of text.split("\n")) if (line !== "") yield parsed(path, line, AuditRecord);
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new PlimsollError("file_unreadable", { path, reason: reasonOf(cause) }, { cause });
  }
}

function parsed<T>(path: string, text: string, schema: { parse(value: unknown): T }): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new PlimsollError("file_unreadable", { path, reason: `it holds no such rows: ${reasonOf(cause)}` });
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause);
}

function verdictLines({ rows, checkpoints, lastHash, faults }: AuditVerdict): string[] {
  const seen = `rows: ${formatCount(rows)}, signed checkpoints: ${formatCount(checkpoints)}`;
  if (faults.length === 0) return [`The log is whole (${seen}). Hash of its end: ${lastHash ?? "none, it is empty"}.`];
  return [`The log is NOT what was written (${seen}):`, ...faults.map(({ kind, detail }) => `  ${kind}: ${detail}`)];
}
