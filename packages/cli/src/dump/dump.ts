import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { writeDump } from "@plimsoll/collect";
import { type ClusterFacts, PlimsollError, type ReportedError } from "@plimsoll/contracts";
import { leftOutObjects } from "@plimsoll/core";
import manifest from "../../package.json" with { type: "json" };
import { EXIT } from "../exit-code.ts";
import { printError } from "../print-error.ts";
import type { CommandContext } from "../program.ts";
import { groupErrors } from "../render/group-errors.ts";
import { contextSources } from "../scan/context-sources.ts";
import { printTraces } from "../scan/print-traces.ts";
import { readFleet } from "../scan/read-fleet.ts";
import { scanProgress } from "../scan/scan-progress.ts";
import { unwritable } from "../write-output.ts";
import { folderNames } from "./folder-names.ts";

/** The options of `plimsoll dump`, parsed. Times in milliseconds. */
export interface DumpOptions {
  readonly kubeconfig?: string;
  readonly context?: readonly string[];
  readonly output?: string;
  readonly redact?: boolean;
  readonly timeout: number;
}

/** Clusters at once: a dump holds a cluster's objects in memory until they are written. */
const CONCURRENCY = 4;

/**
 * Reads the clusters chosen and writes a folder for each; prints the folders. What could not be read is in no folder and
 * is printed as an error. Gives the exit code: 0 all read, 4 not all or not fully, 1 nothing written.
 */
export async function dump(options: DumpOptions, { terminal, signal }: CommandContext): Promise<number> {
  const { redact = false } = options;
  const sources = await contextSources({ ...options, ...terminal });
  const root = options.output ?? `plimsoll-dump-${new Date().toISOString().replace(/[-:]|\..*/g, "")}`;
  const folders = folderNames(
    sources.map(({ name }) => name),
    redact,
  );
  const folderOf = (name: string) => join(root, folders.get(name) ?? name);
  await Promise.all(sources.map(({ name }) => requireEmpty(folderOf(name))));
  // One key for all: a team's name is replaced by the same text in every cluster, so that their sums still join.
  const redactionKey = randomBytes(32);
  const createdBy = `plimsoll ${manifest.version}`;
  const progress = scanProgress(terminal.err, sources.length);
  const readings = await readFleet(sources, { concurrency: CONCURRENCY, signal, progress }, async (facts, { name }) => {
    await writeDump(facts, folderOf(name), { redact, redactionKey, createdBy });
    return [...unreadParts(facts), ...leftOutObjects(facts)];
  });
  progress.ended();
  printTraces(readings, terminal);
  for (const reading of readings) {
    const errors = "error" in reading ? [reading.error] : reading.result;
    if ("result" in reading) terminal.out.write(`${folderOf(reading.source.name)}\n`);
    const named = errors.map((error) => ({ cluster: reading.source.name, ...error }));
    for (const error of groupErrors(named)) printError(terminal, error, error.cluster);
  }
  if (readings.every((reading) => "error" in reading)) return EXIT.failed;
  if (terminal.err.isTerminal) terminal.err.write(`Report from it: plimsoll scan --from-dump ${root}\n`);
  return readings.every((reading) => "result" in reading && reading.result.length === 0) ? EXIT.ok : EXIT.partial;
}

/** Why parts of a cluster are not in its dump; each reason once. An API that is not installed is no part of it. */
function unreadParts({ serverVersions, objects, usage }: ClusterFacts): ReportedError[] {
  const readings = [serverVersions, ...Object.values(objects), usage];
  const unknown = readings.flatMap((reading) => (reading.known ? [] : [reading.error]));
  const errors = unknown.filter(({ code }) => code !== "usage_not_served");
  return errors.filter((error, at) => errors.findIndex(({ message }) => message === error.message) === at);
}

/** Fails with output_unwritable at once where a dump could not be written later; the folder may not be there yet. */
async function requireEmpty(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw unwritable(folder, error);
  });
  if (entries.length === 0) return;
  throw new PlimsollError("output_unwritable", { path: folder, reason: "the folder is not empty" });
}
