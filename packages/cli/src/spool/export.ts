import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { findSpool, type SpoolPlace, storedBatches } from "@plimsoll/agent/spool";
import { PlimsollError } from "@plimsoll/contracts";
import { type BatchKind, parseEnvelope } from "@plimsoll/contracts/wire";
import { EXIT } from "../exit-code.ts";
import { formatCount } from "../format/quantity.ts";
import type { CommandContext } from "../program.ts";
import { openExportFiles } from "./export-files.ts";
import { type ExportedBatch, envelopeLine, rowLines } from "./export-lines.ts";
import { readOrRefuse } from "./read-or-refuse.ts";
import type { SpoolExportOptions } from "./spool-command.ts";

/** Writes a spool's batches, or those of the quarantine, as lines of JSON. Gives the exit code: 3 when one cannot be opened. */
export async function exportSpool(
  path: string,
  options: SpoolExportOptions,
  { terminal, signal }: CommandContext,
): Promise<number> {
  const place = await readOrRefuse(path, () => findSpool(path));
  const write = options.output === undefined ? undefined : await openExportFiles(options.output);
  const linesOf = options.as === "envelopes" ? envelopeLine : rowLines;
  const counts = { batches: 0, rows: 0, unopened: 0 };
  await readOrRefuse(path, async () => {
    for await (const { name, batch } of batchesOf(place, options)) {
      if (signal.aborted) throw new PlimsollError("interrupted", { what: "the export" });
      const { text, rows, opened } = linesOf(batch);
      if (write) await write(name, text);
      else await terminal.out.writeAll(text);
      counts.batches += 1;
      counts.rows += rows;
      counts.unopened += opened ? 0 : 1;
    }
  });
  terminal.err.write(
    `${formatCount(counts.batches)} batches, ${formatCount(counts.rows)} rows${unopenedText(counts)}\n`,
  );
  return counts.unopened > 0 ? EXIT.findings : EXIT.ok;
}

function unopenedText({ unopened }: { readonly unopened: number }): string {
  return unopened === 0 ? "" : `; ${formatCount(unopened)} could not be opened`;
}

/** Batches, each with the name of the file that it goes to. */
async function* batchesOf(
  place: SpoolPlace,
  { kind: kinds, quarantine }: SpoolExportOptions,
): AsyncGenerator<{ readonly name: string; readonly batch: ExportedBatch }> {
  if (quarantine) {
    yield* refusedBatches(place, kinds);
    return;
  }
  for await (const { kind, spoolId, sequence, segment, unsent, envelope } of storedBatches(place, kinds)) {
    const head = { kind, spoolId, sequence, segment, sent: unsent ? "no" : "maybe" };
    yield { name: kind, batch: { place: head, envelope } };
  }
}

/** Envelopes that the hub refused for good. */
async function* refusedBatches({ quarantine }: SpoolPlace, kinds: readonly BatchKind[] | undefined) {
  const names = await readdir(quarantine).catch(() => []);
  for (const name of names.toSorted()) {
    if (!name.endsWith(".envelope")) continue;
    const envelope = await readFile(join(quarantine, name));
    const kind = kindOf(envelope);
    if (kinds && (kind === null || !kinds.includes(kind))) continue;
    // SPOOL-SEQUENCE.CODE.envelope, as the agent names them.
    const code = name.split(".").at(-2) ?? null;
    yield { name: kind ?? "unknown", batch: { place: { file: name, refusedBy: code }, envelope } };
  }
}

function kindOf(envelope: Uint8Array): BatchKind | null {
  try {
    return parseEnvelope(envelope).kind;
  } catch {
    return null;
  }
}
