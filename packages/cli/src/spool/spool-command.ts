import { PlimsollError } from "@plimsoll/contracts";
import { BATCH_KINDS, type BatchKind } from "@plimsoll/contracts/wire";
import { Command, Option } from "commander";
import type { CommandContext } from "../program.ts";
import { fullName, withFormat } from "../rest/answer-format.ts";

/** The options of `plimsoll spool inspect` and `repair`, parsed. */
export interface SpoolShowOptions {
  readonly format: "table" | "json";
  readonly dryRun?: boolean;
}

/** The options of `plimsoll spool export`, parsed. */
export interface SpoolExportOptions {
  readonly as: "rows" | "envelopes";
  readonly kind?: readonly BatchKind[];
  readonly quarantine?: boolean;
  readonly output?: string;
}

const INSPECT_HELP = `
Examples:
  plimsoll spool inspect /var/lib/plimsoll-agent
  plimsoll spool inspect DIR -o json | jq '.losses'

It changes nothing, and may be used while the agent runs.
SENT: no = it is proven that nothing of the segment was ever sent; maybe = some of it may be at the hub already.
Exit codes: 0 ok, 1 failed, 2 usage, 3 findings (something is damaged, lost or in quarantine).
`;

const EXPORT_HELP = `
Examples:
  plimsoll spool export DIR > stuck.ndjson
  plimsoll spool export DIR --kind usage | jq -r '.row.podName' | sort | uniq -c
  plimsoll spool export DIR --as envelopes --output evidence

A line of JSON for each row, or for each batch with the bytes as they were sealed (base64). Whole numbers above 2^53 are
texts. It changes nothing, and may be used while the agent runs.
Exit codes: 0 ok, 1 failed, 2 usage, 3 findings (a batch could not be opened: its line has the error and the bytes).
`;

const REPAIR_HELP = `
Examples:
  plimsoll spool repair DIR --dry-run
  plimsoll spool repair DIR

The agent must be stopped. It does all of this by itself when it starts; use this where it does not start, or where the damage
must be looked at first. Damaged bytes are moved to DIR/quarantine; what is lost with them is told to the hub by the agent.
Exit codes: 0 ok, 1 failed, 2 usage, 3 findings (with --dry-run: there is something to repair).
`;

/** `plimsoll spool`: looks into what an agent has on disk, for whoever must prove what is stuck. */
export function spoolCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  return new Command("spool")
    .summary("look into what an agent has not delivered yet")
    .description("What an agent has on disk: look at it, take it out, repair it. DIR is the agent's state folder.")
    .addCommand(inspectCommand(context, done))
    .addCommand(exportCommand(context, done))
    .addCommand(repairCommand(context, done));
}

function inspectCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const command = new Command("inspect")
    .summary("segments, sequences, ages, damage, quarantine")
    .description("Lists the segments of a spool with what is in them, what is damaged, lost, or in quarantine.")
    .argument("<DIR>", "the agent's state folder");
  return withFormat(command, ["table", "json"])
    .addHelpText("after", INSPECT_HELP)
    .action(async (path: string, options: SpoolShowOptions) => {
      const { inspectSpool } = await import("./inspect.ts");
      done(await inspectSpool(path, options, context, Date.now()));
    });
}

function exportCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const command = new Command("export");
  const choice =
    <T extends string>(option: string, values: readonly T[]) =>
    (value: string): T => {
      const known = values.find((one) => one === value);
      if (known !== undefined) return known;
      const fields = { option, value, expected: `one of ${values.join(", ")}`, command: fullName(command) };
      throw new PlimsollError("option_invalid", fields);
    };
  const kindOf = choice("--kind", BATCH_KINDS);
  return command
    .summary("batches as lines of JSON, whole or row by row")
    .description("Writes the batches of a spool as lines of JSON.")
    .argument("<DIR>", "the agent's state folder")
    .addOption(
      new Option("--as <FORM>", "rows or envelopes").default("rows").argParser(choice("--as", ["rows", "envelopes"])),
    )
    .addOption(
      new Option("--kind <KIND...>", `only of these: ${BATCH_KINDS.join(", ")}`).argParser(
        (value, before: readonly BatchKind[] = []) => [...before, kindOf(value)],
      ),
    )
    .option("--quarantine", "batches that the hub refused, instead of those that wait")
    .option("--output <FOLDER>", "a file for each kind in this folder, instead of standard output")
    .addHelpText("after", EXPORT_HELP)
    .action(async (path: string, options: SpoolExportOptions) => {
      const { exportSpool } = await import("./export.ts");
      done(await exportSpool(path, options, context));
    });
}

function repairCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const command = new Command("repair")
    .summary("move what is damaged aside")
    .description("Cuts torn ends and moves damaged bytes of a spool into the quarantine.")
    .argument("<DIR>", "the agent's state folder")
    .option("--dry-run", "say what would be done, and do nothing");
  return withFormat(command, ["table", "json"])
    .addHelpText("after", REPAIR_HELP)
    .action(async (path: string, options: SpoolShowOptions) => {
      const { repair } = await import("./repair.ts");
      done(await repair(path, options, context));
    });
}
