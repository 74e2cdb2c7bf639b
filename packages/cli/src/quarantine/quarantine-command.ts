import { PlimsollError } from "@plimsoll/contracts";
import { Command, Option } from "commander";
import type { CommandContext } from "../program.ts";
import { type ShowOptions, withFormat } from "../rest/answer-format.ts";
import { type HubOptions, withHub } from "../rest/hub-options.ts";

/** The options of `plimsoll quarantine list`, parsed. */
export interface QuarantineListOptions extends HubOptions, ShowOptions {
  readonly cluster?: string;
  readonly code?: string;
  readonly limit: number;
}

/** The options of `plimsoll quarantine show` and `replay`, parsed. */
export interface QuarantineEntryOptions extends HubOptions, ShowOptions {}

/** The options of `plimsoll quarantine drop`, parsed. */
export interface QuarantineDropOptions extends QuarantineEntryOptions {
  readonly reason?: string;
}

const HELP = `
Examples:
  plimsoll quarantine list --cluster prod-eu
  plimsoll quarantine show 17
  plimsoll quarantine replay 17                               after an upgrade of the hub
  plimsoll quarantine drop 17 --reason "copy of a test spool"

Exit codes: 0 ok, 1 failed (also: a replay that did not count), 2 usage.
`;

const LIST = "plimsoll quarantine list";

/** `plimsoll quarantine`: batches that the hub could not apply, in nobody's way. */
export function quarantineCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  return new Command("quarantine")
    .summary("batches that could not be applied")
    .description("Batches that the hub could not apply: see them, try them again, or give them up.")
    .addHelpText("after", HELP)
    .addCommand(listCommand(context, done))
    .addCommand(showCommand(context, done))
    .addCommand(replayCommand(context, done))
    .addCommand(dropCommand(context, done));
}

function listCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const command = new Command("list")
    .summary("what is held back, newest first")
    .description("What the hub holds back, newest first, with the reason of each.")
    .option("--cluster <NAME>", "only of this cluster, by name or id")
    .option("--code <CODE>", "only for this reason, as in the list of errors: batch_conflict")
    .addOption(new Option("--limit <N>", "entries to show").default(100).argParser(limitOption));
  return withHub(withFormat(command, ["table", "json", "yaml", "csv"])).action(
    async (options: QuarantineListOptions) => {
      const { quarantineList } = await import("./quarantine-list.ts");
      done(await quarantineList(options, context));
    },
  );
}

function showCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const command = entryCommand("show")
    .summary("one entry, with what can be read of it")
    .description("One entry: why it is there, what to do, its head and its first rows as far as they can be read.");
  return command.action(async (entry: string, options: QuarantineEntryOptions) => {
    const { quarantineShow } = await import("./quarantine-show.ts");
    done(await quarantineShow(entry, options, context));
  });
}

function replayCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const command = entryCommand("replay")
    .summary("let one go through ingest again")
    .description("Lets one entry go through ingest again as it is: it counts once, or stays and says why.");
  return command.action(async (entry: string, options: QuarantineEntryOptions) => {
    const { quarantineReplay } = await import("./quarantine-replay.ts");
    done(await quarantineReplay(entry, options, context));
  });
}

function dropCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const command = entryCommand("drop")
    .summary("give one up, and record what is missing")
    .description("Gives one entry up for good. A gap record says what is missing, so coverage of that time is below 1.")
    .option("--reason <TEXT>", "why: for the audit log and the gap record");
  return command.action(async (entry: string, options: QuarantineDropOptions) => {
    const { quarantineDrop } = await import("./quarantine-drop.ts");
    done(await quarantineDrop(entry, options, context));
  });
}

function entryCommand(name: string): Command {
  const command = new Command(name).argument("<ENTRY>", "number of the entry, as list shows it");
  return withHub(withFormat(command, ["text", "json", "yaml"]));
}

function limitOption(value: string): number {
  const limit = /^\d{1,5}$/.test(value) ? Number(value) : 0;
  if (limit >= 1) return limit;
  const expected = "a whole number from 1 to 99999";
  throw new PlimsollError("option_invalid", { command: LIST, option: "--limit", value, expected });
}
