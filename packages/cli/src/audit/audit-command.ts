import { PlimsollError } from "@plimsoll/contracts";
import { Command, Option } from "commander";
import type { CommandContext } from "../program.ts";
import { type ShowOptions, withFormat } from "../rest/answer-format.ts";
import { type HubOptions, withHub } from "../rest/hub-options.ts";

/** Which rows of the audit log. */
export interface AuditFilter {
  readonly actor?: string;
  readonly verb?: string;
  readonly thing?: string;
  readonly cluster?: string;
  readonly outcome?: string;
  readonly from?: string;
  readonly to?: string;
}

/** The options of `plimsoll audit list`, parsed. */
export interface AuditListOptions extends HubOptions, ShowOptions, AuditFilter {
  readonly limit: string;
}

/** The options of `plimsoll audit export`, parsed. */
export interface AuditExportOptions extends HubOptions, AuditFilter {
  readonly format: string;
  readonly output?: string;
}

/** The options of `plimsoll audit verify`, parsed. */
export interface AuditVerifyOptions extends HubOptions, ShowOptions {
  readonly file?: string;
  readonly checkpoints?: string;
}

const HELP = `
Examples:
  plimsoll audit list --outcome refused                  who was refused what
  plimsoll audit export --output audit.ndjson            the whole log, oldest first
  plimsoll audit checkpoint > checkpoints.json           signs its end; keep the file outside of the hub
  plimsoll audit verify --checkpoints checkpoints.json   is the log still what was signed?
  plimsoll audit verify --file audit.ndjson --checkpoints checkpoints.json   the same without a hub

Exit codes: 0 ok, 1 failed, 2 usage, 3 verify found that the log was changed.
`;

/** `plimsoll audit`: who did what, and the proof that the log of it is whole. */
export function auditCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  return new Command("audit")
    .summary("who did what, and the proof of it")
    .description("The audit log of the hub: who did what to which thing, refused and failed attempts too.")
    .addHelpText("after", HELP)
    .addCommand(listCommand(context, done))
    .addCommand(exportCommand(context, done))
    .addCommand(checkpointCommand(context, done))
    .addCommand(verifyCommand(context, done));
}

function listCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const command = withFilter(new Command("list"))
    .description("Rows of the audit log, the newest first.")
    .summary("who did what, newest first")
    .option("--limit <N>", "rows to show", "50");
  return withHub(withFormat(command, ["table", "json", "yaml", "csv"])).action(async (options: AuditListOptions) => {
    const { auditList } = await import("./audit-list.ts");
    done(await auditList(options, context));
  });
}

function exportCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const forms = oneOf(
    "-o, --format <FORMAT>",
    "form of the rows",
    ["ndjson", "csv", "syslog"],
    "plimsoll audit export",
  );
  const command = withFilter(new Command("export"))
    .description("The audit log as lines, oldest first: NDJSON (which verify reads), CSV, or syslog (RFC 5424).")
    .summary("the log as NDJSON, CSV or syslog lines")
    .addOption(forms.default("ndjson"))
    .option("--output <FILE>", "write to a file");
  return withHub(command).action(async (options: AuditExportOptions) => {
    const { auditExport } = await import("./audit-export.ts");
    done(await auditExport(options, context));
  });
}

function checkpointCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const command = new Command("checkpoint")
    .description("Signs the end of the audit log and prints all checkpoints with the key to check them by, as JSON.")
    .summary("sign the end of the log");
  return withHub(command).action(async (options: HubOptions) => {
    const { auditCheckpoint } = await import("./audit-checkpoint.ts");
    done(await auditCheckpoint(options, context));
  });
}

function verifyCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const command = new Command("verify")
    .description("Checks here, row by row, that the audit log is what was written; the hub's word is not taken for it.")
    .summary("prove that the log is whole")
    .option("--file <FILE>", "an export (NDJSON) instead of the hub's log")
    .option("--checkpoints <FILE>", "checkpoints that were kept outside of the hub (those of the hub)");
  return withHub(withFormat(command, ["text", "json", "yaml"])).action(async (options: AuditVerifyOptions) => {
    const { auditVerify } = await import("./audit-verify.ts");
    done(await auditVerify(options, context));
  });
}

function withFilter(command: Command): Command {
  const name = command.name();
  return command
    .option("--actor <NAME>", "only what this actor did")
    .option("--verb <VERB>", "only this verb: list, read, create, update, delete, join")
    .option("--thing <NOUN>", "only what was done to things of this kind: cluster, policy, …")
    .option("--cluster <NAME>", "only what was done to this cluster (or its id)")
    .addOption(oneOf("--outcome <OUTCOME>", "only these", ["allowed", "refused", "failed"], `plimsoll audit ${name}`))
    .option("--from <TIME>", "since then: 2026-03-01T00:00:00Z")
    .option("--to <TIME>", "before then");
}

/** An option that takes one of a few words, which its help names. */
function oneOf(flags: string, what: string, words: readonly string[], command: string): Option {
  const option = new Option(flags, `${what}: ${words.join(", ")}`);
  return option.argParser((value: string) => {
    if (words.includes(value)) return value;
    const expected = `one of ${words.join(", ")}`;
    throw new PlimsollError("option_invalid", { option: option.long ?? flags, value, expected, command });
  });
}
