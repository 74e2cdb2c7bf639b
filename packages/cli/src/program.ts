import { PlimsollError } from "@plimsoll/contracts";
import { Command, type CommanderError, Option } from "commander";
import manifest from "../package.json" with { type: "json" };
import type { DumpOptions } from "./dump/dump.ts";
import { DUMP_HELP, PROGRAM_HELP, SCAN_HELP } from "./help-texts.ts";
import { concurrencyOption, formatOption, outputOption, secondsOption, severityOption } from "./option-values.ts";
import { FORMATS } from "./render/report-format.ts";
import type { ScanOptions } from "./scan/scan.ts";
import type { Terminal } from "./terminal.ts";
import { usageFault } from "./usage-fault.ts";

/** What a command runs in: its terminal, and the signal that a Ctrl-C aborts with the exit code as reason. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** The command line. `done` gets the exit code of the command that ran; each command's code is loaded when it is called. */
export function buildProgram(context: CommandContext, done: (exitCode: number) => void): Command {
  const program = new Command("plimsoll")
    .description(
      "The load line of a Kubernetes fleet: what every cluster is, how full it is, and what it costs and whom.",
    )
    .version(manifest.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand(false)
    .addHelpText("after", PROGRAM_HELP)
    .configureOutput({
      writeOut: (text) => context.terminal.out.write(text),
      writeErr: () => undefined,
      getOutHelpWidth: () => context.terminal.out.columns ?? 100,
      getOutHasColors: () => false,
    });
  program.addCommand(scanCommand(context, done).copyInheritedSettings(program));
  program.addCommand(dumpCommand(context, done).copyInheritedSettings(program));
  program.addCommand(helpCommand(program).copyInheritedSettings(program));
  for (const command of [program, ...program.commands]) reportFaults(command);
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
    .argument("[command]")
    .action((name: string | undefined) => {
      const asked = name === undefined ? program : program.commands.find((command) => command.name() === name);
      if (asked === undefined) throw new PlimsollError("command_unknown", { command: name ?? "", suggestion: "" });
      asked.outputHelp();
    });
}

function withKubeconfig(command: Command): Command {
  return command
    .option("--kubeconfig <FILE>", "kubeconfig to read (KUBECONFIG, or ~/.kube/config)")
    .option("--context <NAME...>", "contexts to read (every one of the kubeconfig)");
}

/** Faults of the command line leave the parser as coded errors; a printed help or version is no fault. */
function reportFaults(command: Command): void {
  const name = command.parent === null ? command.name() : `${command.parent.name()} ${command.name()}`;
  command.exitOverride((error: CommanderError) => {
    throw error.exitCode === 0 ? error : usageFault(error, name);
  });
}
