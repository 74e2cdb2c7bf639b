import { PlimsollError, type ScanReport, type Severity } from "@plimsoll/contracts";
import { reportCluster } from "@plimsoll/core";
import { printError } from "../print-error.ts";
import type { CommandContext } from "../program.ts";
import { groupErrors } from "../render/group-errors.ts";
import { renderReport } from "../render/render-report.ts";
import { chooseFormat, type ReportFormat } from "../render/report-format.ts";
import { checkOutput, writeOutput } from "../write-output.ts";
import { buildReport } from "./build-report.ts";
import type { ClusterSource } from "./cluster-source.ts";
import { contextSources } from "./context-sources.ts";
import { printTraces } from "./print-traces.ts";
import { readFleet } from "./read-fleet.ts";
import { scanExitCode } from "./scan-exit-code.ts";
import { scanProgress } from "./scan-progress.ts";

/** The options of `plimsoll scan`, parsed. Times in milliseconds. */
export interface ScanOptions {
  readonly kubeconfig?: string;
  readonly context?: readonly string[];
  readonly fromDump?: readonly string[];
  readonly format?: ReportFormat;
  readonly output?: string;
  readonly failOn?: Severity;
  readonly timeout: number;
  readonly concurrency: number;
}

/**
 * Reads the clusters chosen, side by side, and writes one report of them to standard output or a file. Gives the exit
 * code. Interrupted, it prints what was read by then (a file is left as it was) and names the rest as not read.
 */
export async function scan(options: ScanOptions, { terminal, signal }: CommandContext): Promise<number> {
  const format = chooseFormat(options.format, options.output);
  if (options.output !== undefined) await checkOutput(options.output);
  const sources = await findSources(options, { terminal, signal });
  const progress = scanProgress(terminal.err, sources.length);
  const readings = await readFleet(sources, { concurrency: options.concurrency, signal, progress }, (facts) =>
    reportCluster(facts),
  );
  progress.ended();
  printTraces(readings, terminal);
  if (signal.aborted && readings.every((reading) => "error" in reading)) {
    throw new PlimsollError("scan_interrupted", { cluster: "any cluster" });
  }
  const report = buildReport(readings, new Date().toISOString());
  await writeReport(report, format, options.output, { terminal, signal });
  return scanExitCode(report, options.failOn);
}

/** Dumps alone when only they are named; contexts otherwise, or both when both are named. */
async function findSources(options: ScanOptions, { terminal }: CommandContext): Promise<ClusterSource[]> {
  const { fromDump, kubeconfig, context } = options;
  const dumpsAlone = fromDump !== undefined && kubeconfig === undefined && context === undefined;
  const contexts = dumpsAlone ? [] : await contextSources({ ...options, ...terminal });
  if (fromDump === undefined) return contexts;
  const { dumpSources } = await import("./dump-sources.ts");
  const names = contexts.map(({ name }) => name);
  return [...(await dumpSources(fromDump, names)), ...contexts];
}

async function writeReport(
  report: ScanReport,
  format: ReportFormat,
  output: string | undefined,
  context: CommandContext,
): Promise<void> {
  const { terminal, signal } = context;
  if (format !== "table" && format !== "wide") {
    for (const error of groupErrors(report.errors)) printError(terminal, error, error.cluster);
  }
  if (output === undefined) {
    const { columns: width, colours } = terminal.out;
    terminal.out.write(await renderReport(report, format, { width, colours }));
  } else if (!signal.aborted) {
    await writeOutput(output, await renderReport(report, format, { width: undefined, colours: false }));
    if (terminal.err.isTerminal) terminal.err.write(`Wrote ${output}\n`);
  }
}
