import { type KubeResource, PlimsollError } from "@plimsoll/contracts";
import type { DumpContent, FileNotes } from "./content/dump-content.ts";
import { resourceOfErrorFile, resourceOfKind } from "./content/known-kinds.ts";
import { plural } from "./content/unused-rows.ts";
import type { DumpLimits } from "./dump-limits.ts";
import type { Bytes } from "./source/byte-stream.ts";
import { type DecodedText, decodeText } from "./source/decode-text.ts";
import type { DumpFile } from "./source/dump-file.ts";
import type { DocumentEvents, Splitter } from "./split/document-events.ts";
import { DocumentReader, LaterReader } from "./split/document-reader.ts";
import { JsonSplitter } from "./split/json-splitter.ts";
import { YamlSplitter } from "./split/yaml-splitter.ts";

const LINE_FEED = 0x0a;

/** `found` of a file that holds what kubectl said when it failed. */
export const KUBECTL_ERROR = "kubectl's error text";

/** How a dump is read, the same for all its files. */
export interface ReadContext {
  readonly content: DumpContent;
  readonly limits: DumpLimits;
  readonly signal: AbortSignal | undefined;
  /** Called for every piece of a file, with its size in bytes. */
  readonly onBytes: (where: string, bytes: number) => void;
}

/**
 * Reads one file of a dump into the content. Rejects with dump_empty, dump_no_objects, dump_unsupported, dump_truncated,
 * dump_syntax, dump_too_large or dump_two_clusters; what came before the fault has been taken in.
 */
export async function readDumpFile(file: DumpFile, notes: FileNotes, context: ReadContext): Promise<void> {
  const text = await decodeText(file.open());
  notes.head = text.head;
  const fault = bundleErrors(file.where, text) ?? refusal(file.where, text);
  if (fault !== undefined) {
    await text.discard();
    throw fault;
  }
  const reader = new DocumentReader(context.content, notes);
  await split(file, text, reader, context);
  context.content.ledger.mixedSeen(notes.mixed);
  if (reader.later.size > 0) {
    const again = await decodeText(file.open());
    await split(file, again, new LaterReader(context.content, notes, reader.later), context);
  }
}

/**
 * Which resources may be incomplete when reading a file failed. A list that says its kind, or a file named after it that held
 * nothing else, spoils that one; a list of unknown extent spoils all, because what was lost could be anything; a file with no
 * sign of Kubernetes in it spoils none.
 */
export function spoiledBy(notes: FileNotes): readonly KubeResource[] | "all" {
  const { kinds, listOf } = notes;
  const hint = notes.hint ?? resourceOfErrorFile(notes.where);
  if (listOf !== undefined) return resources(listOf.kind, listOf.apiVersion);
  const seen = Array.from(kinds, (kind) => resourceOfKind(kind, undefined));
  if (hint !== undefined && seen.every((resource) => resource === hint)) return [hint];
  if (!notes.sawList && kinds.size === 0) return spoiledByHead(notes.head);
  return "all";
}

function spoiledByHead(head: string | undefined): readonly KubeResource[] | "all" {
  if (head === undefined) return "all";
  const kind = /^\s*"?kind"?\s*:\s*"?(\w+)/m.exec(head)?.[1] ?? /"kind"\s*:\s*"(\w+)"/.exec(head)?.[1];
  if (kind !== undefined && !kind.endsWith("List")) return resources(kind, undefined);
  return /"?\b(apiVersion|items)"?\s*:/.test(head) ? "all" : [];
}

function resources(kind: string, apiVersion: string | undefined): readonly KubeResource[] {
  const resource = resourceOfKind(kind, apiVersion);
  return resource === undefined ? [] : [resource];
}

async function split(file: DumpFile, text: DecodedText, events: DocumentEvents, context: ReadContext): Promise<void> {
  const { objectBytes, yamlBytes } = context.limits;
  const yaml = text.format === "yaml";
  const splitter: Splitter = yaml
    ? new YamlSplitter(file.where, events, yamlBytes)
    : new JsonSplitter(file.where, events, objectBytes);
  const last = await feed(splitter, text.bytes, file, context);
  splitter.end();
  if (!(events instanceof DocumentReader)) return;
  const { parts, first } = splitter.undecodable;
  if (parts > 0) {
    const reason = `${plural(parts, "object")} with bytes that are no UTF-8, shown as \uFFFD; the first is ${first}`;
    context.content.unused.add(file.where, "not_utf8", reason);
  }
  if (yaml && last !== LINE_FEED) {
    const reason = "it ends without a line break: if it was cut there, its last object is not whole";
    context.content.unused.add(file.where, "no_final_line_break", reason);
  }
}

async function feed(
  splitter: Splitter,
  bytes: Bytes,
  file: DumpFile,
  context: ReadContext,
): Promise<number | undefined> {
  let last: number | undefined;
  for await (const piece of bytes) {
    context.signal?.throwIfAborted();
    splitter.push(piece);
    last = piece.at(-1) ?? last;
    context.onBytes(file.where, piece.length);
  }
  return last;
}

function refusal(path: string, { format, head }: DecodedText): PlimsollError | undefined {
  if (format === "empty") return new PlimsollError("dump_empty", { path });
  if (format === "binary") return new PlimsollError("dump_unsupported", { path, found: "a binary file" });
  if (format !== "text") return undefined;
  const found = /^(error|Error from server)/.test(head)
    ? KUBECTL_ERROR
    : "text that is neither JSON nor YAML of objects";
  return new PlimsollError("dump_no_objects", { path, found });
}

/** A bundle's "pods-errors.json" with something in it: the bundle could not read all pods. */
function bundleErrors(path: string, { format, head }: DecodedText): PlimsollError | undefined {
  const resource = resourceOfErrorFile(path);
  if (resource === undefined || format !== "json" || /^\s*(\[\s*\]|\{\s*\})\s*$/.test(head)) return undefined;
  const reason = "this file tells of errors when they were read";
  return new PlimsollError("dump_incomplete", { path, what: resource, reason });
}
