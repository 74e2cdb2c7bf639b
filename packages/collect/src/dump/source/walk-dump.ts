import { createReadStream, type Dirent, type Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { PlimsollError } from "@plimsoll/contracts";
import type { DumpLimits } from "../dump-limits.ts";
import { tarMembers, zipMembers } from "./archive-members.ts";
import { type Bytes, peek } from "./byte-stream.ts";
import { type DumpEntry, type DumpFile, isFile, opened, type SkippedFile } from "./dump-file.ts";
import { gunzip, UnpackBudget } from "./unpack.ts";

const READ_BYTES = 1024 * 1024;
/** Where a tar header has its magic, and how much must be seen to tell every format. */
const TAR_MAGIC_AT = 257;
const MAGIC_BYTES = 512;
/** A gzip in a tar in a gzip in a folder is a support bundle; deeper is a mistake or a trap. */
const MAX_NESTING = 4;

/** A dump's files. `lone`: the path is one plain or compressed file, whose faults are the whole dump's. */
export interface DumpWalk {
  readonly lone: boolean;
  readonly entries: AsyncIterable<DumpEntry>;
}

/**
 * Finds every file of the dump at `path`: a file, a folder (nested, in name order), an archive of either. Links are followed
 * inside the folder only and each place is visited once. Rejects with dump_missing when the path cannot be read; iterating
 * rejects with dump_truncated, dump_syntax or dump_too_large for an archive that is cut, damaged or too large.
 */
export async function walkDump(path: string, limits: DumpLimits): Promise<DumpWalk> {
  const info = await stat(path).catch((error: Error) => {
    throw missing(path, error.message);
  });
  const walk = new Walk(new UnpackBudget(path, limits));
  if (info.isDirectory()) return { lone: false, entries: walk.top(path) };
  if (!info.isFile()) throw missing(path, "it is neither a file nor a folder; save its content to a file first");
  const file = diskFile(path, info);
  return { lone: !(await isArchive(file)), entries: walk.unwrap(file, 0) };
}

class Walk {
  readonly #budget: UnpackBudget;
  readonly #visited = new Set<string>();

  constructor(budget: UnpackBudget) {
    this.#budget = budget;
  }

  async *top(path: string): AsyncGenerator<DumpEntry> {
    const root = await realpath(path);
    this.#visited.add(root);
    const names = await readdir(path, { withFileTypes: true }).catch((error: Error) => {
      throw missing(path, error.message);
    });
    yield* this.#children(path, names, root);
  }

  async *#children(folder: string, children: readonly Dirent[], root: string): AsyncGenerator<DumpEntry> {
    for (const child of children.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const where = join(folder, child.name);
      if (child.name.startsWith(".")) yield skipped(where, "hidden", "hidden files and folders are not read");
      else yield* this.#place(where, root);
    }
  }

  async *#place(where: string, root: string): AsyncGenerator<DumpEntry> {
    try {
      const real = await realpath(where);
      if (this.#visited.has(real)) return;
      this.#visited.add(real);
      if (!real.startsWith(root + sep))
        return yield skipped(where, "link_outside", "the link leaves the dump's folder");
      const info = await stat(real);
      if (info.isFile() && isLog(where)) yield log(where);
      else if (info.isDirectory()) yield* this.#children(where, await readdir(where, { withFileTypes: true }), root);
      else if (info.isFile()) yield* this.unwrap(diskFile(where, info), 0);
      else yield skipped(where, "no_file", "it is neither a file nor a folder");
    } catch (error) {
      if (error instanceof PlimsollError || !(error instanceof Error)) throw error;
      yield skipped(where, "unreadable", error.message, true);
    }
  }

  /** The file itself, or what is packed in it. What cannot be unpacked is a file that cannot be read. */
  async *unwrap(file: DumpFile, nesting: number): AsyncGenerator<DumpEntry> {
    try {
      yield* this.#unwrapped(file, nesting);
    } catch (error) {
      yield { where: file.where, open: () => failing(error) };
    }
  }

  async *#unwrapped(file: DumpFile, nesting: number): AsyncGenerator<DumpEntry> {
    const { head, all, discard } = await peek(file.open(), MAGIC_BYTES);
    const format = packing(head);
    if (format === undefined) return yield opened(file, all);
    if (nesting >= MAX_NESTING || (format === "zip" && file.diskPath === undefined)) {
      await discard();
      return yield skipped(file.where, "archive_nested", `a ${format} inside an archive: unpack it first`, true);
    }
    if (format === "gzip") return yield* this.unwrap(this.#gunzipped(opened(file, all)), nesting + 1);
    if (format === "zip") await discard();
    const members = format === "tar" ? tarMembers(file, all) : zipMembers(file, file.diskPath ?? "", this.#budget);
    for await (const member of members) yield* this.#member(member, nesting + 1);
  }

  async *#member(member: DumpEntry, nesting: number): AsyncGenerator<DumpEntry> {
    if (!isFile(member)) yield member;
    else if (isLog(member.where)) yield log(member.where);
    else yield* this.unwrap(member, nesting);
  }

  #gunzipped(file: DumpFile): DumpFile {
    const { where, modifiedAt } = file;
    return { where, modifiedAt, open: () => this.#budget.bound(gunzip(file.open(), where), where) };
  }
}

function diskFile(path: string, info: Stats): DumpFile {
  const open = () => createReadStream(path, { highWaterMark: READ_BYTES });
  return { where: path, diskPath: path, modifiedAt: info.mtimeMs, open };
}

async function isArchive(file: DumpFile): Promise<boolean> {
  const outer = await peek(file.open(), MAGIC_BYTES);
  await outer.discard();
  const format = packing(outer.head);
  if (format !== "gzip") return format !== undefined;
  const inner = await peek(gunzip(file.open(), file.where), MAGIC_BYTES);
  await inner.discard();
  return packing(inner.head) !== undefined;
}

function packing(head: Uint8Array): "gzip" | "zip" | "tar" | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return "gzip";
  const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString("latin1");
  if (text.startsWith("PK\x03\x04") || text.startsWith("PK\x05\x06")) return "zip";
  return text.startsWith("ustar", TAR_MAGIC_AT) ? "tar" : undefined;
}

/** Logs are large, and a line of one may look like an object: they are never opened. */
function isLog(where: string): boolean {
  return /(\.log(\.[\w-]+)*|(^|[/!])logs\.txt)$/i.test(where);
}

function log(where: string): SkippedFile {
  return skipped(where, "log", "logs are not read");
}

// biome-ignore lint/correctness/useYield: a stream that fails at once
async function* failing(error: unknown): Bytes {
  throw error;
}

function skipped(where: string, code: string, reason: string, doubtful = false): SkippedFile {
  return { where, code, reason, doubtful };
}

function missing(path: string, reason: string): PlimsollError {
  return new PlimsollError("dump_missing", { path, reason: reason.replace(/, \w+ '.*'$/, "") });
}
