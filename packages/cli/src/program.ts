import { PlimsollError } from "@plimsoll/contracts";
import { Command, type CommanderError, Option } from "commander";
import manifest from "../package.json" with { type: "json" };
import { addCommand } from "./add/add-command.ts";
import { agentCommand } from "./agent/agent-command.ts";
import { auditCommand } from "./audit/audit-command.ts";
import { authCommand } from "./auth/auth-command.ts";
import { backupCommand } from "./backup/backup-command.ts";
import { costCommand } from "./cost/cost-command.ts";
import { demoCommand } from "./demo/demo-command.ts";
import { describeCommand } from "./describe/describe-command.ts";
import type { DumpOptions } from "./dump/dump.ts";
import { getCommand } from "./get/get-command.ts";
import { DUMP_HELP, PROGRAM_HELP, SCAN_HELP } from "./help-texts.ts";
import { hubCommand } from "./hub/hub-command.ts";
import { joinCommand } from "./join/join-command.ts";
import { concurrencyOption, formatOption, outputOption, secondsOption, severityOption } from "./option-values.ts";
import { quarantineCommand } from "./quarantine/quarantine-command.ts";
import { FORMATS } from "./render/report-format.ts";
import { fullName } from "./rest/answer-format.ts";
import { restoreCommand } from "./restore/restore-command.ts";
import type { ScanOptions } from "./scan/scan.ts";
import { spoolCommand } from "./spool/spool-command.ts";
import type { Terminal } from "./terminal.ts";
import { topCommand } from "./top/top-command.ts";
import { usageFault } from "./usage-fault.ts";

/** What a command runs in: its terminal, and the signal that a Ctrl-C aborts with the exit code as reason. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  /** Called by a command that runs until it is stopped: a signal is then its ordinary end, with its own exit code. */
  readonly stopsCleanly?: () => void;
}

/** The command line. `done` gets the exit code of the command that ran; each command's code is loaded when it is called. */
export function buildProgram(context: CommandContext, done: (exitCode: number) => void): Command {
  const program = new Command("plimsoll")
    .description(
      "The load line of a Kubernetes fleet: what every cluster is, how full it is, and what it costs and whom.",
    )
    .version(versionText(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand(false)
    .addHelpText("after", PROGRAM_HELP)
    .configureOutput({
      writeOut: (text) => context.terminal.out.write(text),
      writeErr: () => undefined,
      getOutHelpWidth: () => context.terminal.out.columns ?? 100,
      getOutHasColors: () => false,
    });
  const commands = [
    demoCommand,
    scanCommand,
    dumpCommand,
    hubCommand,
    joinCommand,
    agentCommand,
    addCommand,
    getCommand,
    describeCommand,
    topCommand,
    costCommand,
    spoolCommand,
    backupCommand,
    restoreCommand,
    authCommand,
    auditCommand,
    quarantineCommand,
  ];
  for (const command of commands) program.addCommand(command(context, done));
  program.addCommand(helpCommand(program));
  settle(program);
  return program;
}

function scanCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const name = "plimsoll scan";
  return withKubeconfig(new Command("scan"))
    .summary("read clusters once and report the fleet")
    .description("Read clusters once, read-only, and give one fleet answer. Nothing is installed in any cluster.")
    .option("--from-dump <PATH...>", "read files or folders instead of clusters, one per cluster")
    .addOption(
      new Option(
        "-o, --format <FORMAT>",
        `form of the report: ${FORMATS.join(", ")} (table, or what FILE ends with)`,
      ).argParser(formatOption(name)),
    )
    .addOption(new Option("--output <FILE>", "write the report to a file").argParser(outputOption(name)))
    .addOption(
      new Option("--fail-on <SEVERITY>", "exit with 3 when a finding is at least info, warning or critical").argParser(
        severityOption(name),
      ),
    )
    .addOption(
      new Option("--timeout <SECONDS>", "what each context may take")
        .default(30_000, "30")
        .argParser(secondsOption(name)),
    )
    .addOption(
      new Option("--concurrency <N>", "contexts that are read side by side")
        .default(16)
        .argParser(concurrencyOption(name)),
    )
    .addHelpText("after", SCAN_HELP)
    .action(async (options: ScanOptions) => {
      const { scan } = await import("./scan/scan.ts");
      done(await scan(options, context));
    });
}

function dumpCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const name = "plimsoll dump";
  return withKubeconfig(new Command("dump"))
    .summary("write what a scan reads as files")
    .description("Write what a scan reads as files, one folder per cluster, to report from without access. No secrets.")
    .addOption(new Option("--output <FOLDER>", "folder to write to (plimsoll-dump-TIME)").argParser(outputOption(name)))
    .option("--redact", "replace names, the same name by the same text")
    .addOption(
      new Option("--timeout <SECONDS>", "what each context may take")
        .default(120_000, "120")
        .argParser(secondsOption(name)),
    )
    .addHelpText("after", DUMP_HELP)
    .action(async (options: DumpOptions) => {
      const { dump } = await import("./dump/dump.ts");
      done(await dump(options, context));
    });
}

function helpCommand(program: Command): Command {
  return new Command("help")
    .description("print help of a command")
    .argument("[command...]")
    .action((names: readonly string[]) => {
      let asked = program;
      for (const name of names) {
        const found = asked.commands.find((command) => command.name() === name);
        if (found === undefined) throw new PlimsollError("command_unknown", { command: name, suggestion: "" });
        asked = found;
      }
      asked.outputHelp();
    });
}

function withKubeconfig(command: Command): Command {
  return command
    .option("--kubeconfig <FILE>", "kubeconfig to read (KUBECONFIG, or ~/.kube/config)")
    .option("--context <NAME...>", "contexts to read (every one of the kubeconfig)");
}

/** Every command below writes where the program does, and its faults leave the parser as coded errors. */
function settle(command: Command): void {
  reportFaults(command);
  for (const child of command.commands) {
    child.copyInheritedSettings(command).helpCommand(false);
    settle(child);
  }
}

/** Ours, and the runtime's that runs it: what a fault report needs first. */
function versionText(): string {
  return `plimsoll ${manifest.version} (node ${process.versions.node})`;
}

/** A printed help or version is no fault. */
function reportFaults(command: Command): void {
  command.exitOverride((error: CommanderError) => {
    throw error.exitCode === 0 ? error : usageFault(error, fullName(command));
  });
}
