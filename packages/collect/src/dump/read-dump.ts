import { basename, resolve } from "node:path";
import { type ClusterFacts, PlimsollError, reportError } from "@plimsoll/contracts";
import { type Clock, systemClock } from "../kube/clock.ts";
import { assembleFacts } from "./assemble-facts.ts";
import { DumpContent, describeForeign, startNotes } from "./content/dump-content.ts";
import { DUMP_LIMITS, type DumpLimits } from "./dump-limits.ts";
import { KUBECTL_ERROR, type ReadContext, readDumpFile, spoiledBy } from "./read-dump-file.ts";
import { type DumpFile, isFile } from "./source/dump-file.ts";
import { walkDump } from "./source/walk-dump.ts";

/** How far the reading is: totals so far, and the file that is being read. */
export interface DumpProgress {
  readonly where: string;
  /** Unpacked bytes. */
  readonly bytes: number;
  readonly objects: number;
}

/** `progress` is called synchronously for every piece read and must not throw. */
export interface ReadDumpOptions {
  readonly clock?: Pick<Clock, "now">;
  readonly signal?: AbortSignal;
  readonly progress?: (progress: DumpProgress) => void;
  readonly limits?: Partial<DumpLimits>;
}

/**
 * Reads the dump of one cluster: a file, a folder or an archive, of JSON or YAML in any form that kubectl and support bundles
 * write (docs/guides/dump.md). Objects are read one at a time and only their slim form is kept.
 *
 * Resources that the dump lacks, or of which a part could not be read, are unknown, never low. Rejects with dump_missing,
 * dump_empty, dump_no_objects, dump_unsupported, dump_two_clusters; for a single file or archive also with dump_truncated,
 * dump_syntax or dump_too_large (in a folder those make the affected resources unknown); or with the signal's reason.
 */
export async function readDump(path: string, options: ReadDumpOptions = {}): Promise<ClusterFacts> {
  const limits = { ...DUMP_LIMITS, ...options.limits };
  const walk = await walkDump(path, limits);
  const content = new DumpContent(path);
  const reading = new DumpReading(path, walk.lone, readContext(content, limits, options));
  for await (const entry of walk.entries) {
    options.signal?.throwIfAborted();
    if (isFile(entry)) await reading.file(entry);
    else content.skip(entry);
  }
  reading.requireObjects();
  const now = (options.clock ?? systemClock).now();
  return assembleFacts(content, { path, name: clusterName(path), now });
}

/** The reading of one dump: what the fault of one file means for the whole. */
class DumpReading {
  readonly #path: string;
  readonly #lone: boolean;
  readonly #context: ReadContext;
  #firstFault: PlimsollError | undefined;

  constructor(path: string, lone: boolean, context: ReadContext) {
    this.#path = path;
    this.#lone = lone;
    this.#context = context;
  }

  async file(file: DumpFile): Promise<void> {
    const { content } = this.#context;
    const notes = startNotes(file.where);
    content.filesRead += 1;
    try {
      await readDumpFile(file, notes, this.#context);
      if (notes.recognised > 0) content.newestFile = Math.max(content.newestFile ?? 0, file.modifiedAt ?? 0);
      else if (notes.foreign > 0) content.unused.add(file.where, "not_kubernetes", "no Kubernetes objects in it");
    } catch (thrown) {
      const error = this.#asFileFault(thrown, file.where);
      content.unused.add(file.where, error.code === "dump_no_objects" ? "not_kubernetes" : error.code, error.message);
      const spoiled = harmless(error) ? [] : spoiledBy(notes);
      content.ledger.spoil(spoiled, reportError(error));
      if (leavesDoubt(error)) content.ledger.doubtAbsence(reportError(error));
      if (spoiled.length > 0) this.#firstFault ??= error;
    }
  }

  /** Throws when the dump as a whole told nothing. */
  requireObjects(): void {
    const { content } = this.#context;
    if (content.store.count > 0) return;
    const found = describeForeign(content);
    throw this.#firstFault ?? new PlimsollError("dump_no_objects", { path: this.#path, found });
  }

  /** The error if it is one file's; throws it on if it is the whole dump's. */
  #asFileFault(thrown: unknown, where: string): PlimsollError {
    if (this.#context.signal?.aborted) throw thrown;
    if (!(thrown instanceof PlimsollError)) {
      // Reading from disk failed half-way.
      if (!(thrown instanceof Error && "syscall" in thrown)) throw thrown;
      return this.#asFileFault(new PlimsollError("dump_missing", { path: where, reason: thrown.message }), where);
    }
    const whole = this.#lone || thrown.code === "dump_two_clusters" || thrown.fields.path === this.#path;
    if (whole) throw thrown;
    return thrown;
  }
}

/** An empty file, or kubectl's error text in one: a command failed, so what the dump lacks may exist. */
function leavesDoubt(error: PlimsollError): boolean {
  return !harmless(error) || error.fields.found === KUBECTL_ERROR;
}

/** Faults of files that held nothing of the cluster. */
function harmless(error: PlimsollError): boolean {
  return error.code === "dump_no_objects" || error.code === "dump_unsupported";
}

function readContext(content: DumpContent, limits: DumpLimits, options: ReadDumpOptions): ReadContext {
  let total = 0;
  const onBytes = (where: string, bytes: number) => {
    total += bytes;
    options.progress?.({ where, bytes: total, objects: content.store.count });
  };
  return { content, limits, signal: options.signal, onBytes };
}

/** "shop-eu" of "dumps/shop-eu/", "shop.tar.gz" and "shop-eu.json". */
function clusterName(path: string): string {
  return basename(resolve(path)).replace(/(\.(jsonl?|ndjson|ya?ml|txt))?(\.(gz|tgz|tar|zip|tar\.gz))?$/i, "");
}
