import type { SequenceRange, SpoolMark } from "@plimsoll/contracts/wire";
import { entryAt, frameEntry } from "./entry-frame.ts";
import {
  type EntryPlace,
  type FoundSegment,
  findLosses,
  hasDamagedEnd,
  type KeepDamage,
  type LostEntries,
  readSegments,
} from "./recover-segments.ts";
import { segmentName } from "./segment-name.ts";
import type { SpoolFile, SpoolFiles } from "./spool-files.ts";
import { newSpoolId } from "./spool-id.ts";

/** One entry that waits, as it stands in the log. */
export interface LogEntry extends EntryPlace {
  readonly spoolId: string;
  readonly segment: string;
}

/** How a log works. */
export interface SegmentLogOptions {
  readonly files: SpoolFiles;
  /** A segment that has grown to this is followed by a new one. */
  readonly segmentBytes: number;
  readonly now: () => number;
  readonly sealedAtOf: (payload: Uint8Array) => number | null;
  readonly keepDamage: KeepDamage;
}

/** A log that is ready, and what of it was lost. */
export interface OpenedLog {
  readonly log: SegmentLog;
  readonly losses: readonly LostEntries[];
  /** Cuts and removes what is damaged. Call it once the losses are on record: their traces go with it. */
  readonly tidy: () => Promise<void>;
}

interface Segment {
  readonly name: string;
  readonly spoolId: string;
  bytes: number;
  waiting: number;
}

/**
 * Opens a log as a crash may have left it: behind a damaged end a new spool id begins, so that no sequence is ever used
 * twice; damage in the middle is passed over. Whatever the bytes are, it does not throw for them.
 */
export async function openLog(options: SegmentLogOptions): Promise<OpenedLog> {
  const { files, sealedAtOf, keepDamage, now } = options;
  const found = await readSegments(files, sealedAtOf, keepDamage);
  const bySpool = Map.groupBy(found, ({ spoolId }) => spoolId);
  const newest = found.at(-1);
  const log = new SegmentLog(options, found);
  await log.begin(
    newest && !hasDamagedEnd(newest)
      ? { spoolId: newest.spoolId, next: nextOf(newest) }
      : { spoolId: newSpoolId(now(), [...bySpool.keys()]), next: 1 },
  );
  return {
    log,
    losses: [...bySpool.values()].flatMap(findLosses),
    async tidy() {
      for (const segment of found) if (hasDamagedEnd(segment)) await log.cut(segment.name, endOf(segment));
      await log.tidy();
    },
  };
}

function nextOf(segment: FoundSegment): number {
  return (segment.entries.at(-1)?.sequence ?? segment.firstSequence - 1) + 1;
}

/** Where the intact part of a segment ends. */
function endOf(segment: FoundSegment): number {
  return segment.damages.find(({ tail }) => tail)?.offset ?? segment.bytes;
}

/**
 * An append-only log in segment files. An entry is spooled once `append` resolves: its bytes are on disk. Acknowledged
 * entries go with their segment; the segment that is written to stays, as it holds spool id and sequence. Calls may overlap,
 * they are done one after the other.
 */
class SegmentLog {
  readonly #options: SegmentLogOptions;
  /** Entries that wait, oldest first. */
  readonly #entries = new Map<string, LogEntry>();
  readonly #segments = new Map<string, Segment>();
  #active: { readonly segment: Segment; readonly file: SpoolFile } | undefined;
  #spoolId = "";
  #next = 1;
  #bytes = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: SegmentLogOptions, found: readonly FoundSegment[]) {
    this.#options = options;
    for (const { name, spoolId, bytes, entries } of found) {
      this.#segments.set(name, { name, spoolId, bytes, waiting: entries.length });
      this.#bytes += bytes;
      for (const entry of entries) this.#put({ ...entry, spoolId, segment: name });
    }
  }

  get spoolId(): string {
    return this.#spoolId;
  }

  /** Bytes of all segment files. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Entries that wait, oldest first; a live view. */
  get waiting(): ReadonlyMap<string, LogEntry> {
    return this.#entries;
  }

  /** For `openLog`: goes on with a spool, in its last segment or a new one. */
  async begin({ spoolId, next }: { readonly spoolId: string; readonly next: number }): Promise<void> {
    this.#spoolId = spoolId;
    this.#next = next;
    const last = [...this.#segments.values()].filter((segment) => segment.spoolId === spoolId).at(-1);
    if (last) this.#active = { segment: last, file: await this.#options.files.open(last.name) };
    else await this.#roll();
  }

  /** For `openLog`: cuts a segment that is not written to any more, if it is still there. */
  cut(name: string, end: number): Promise<void> {
    return this.#inTurn(async () => {
      const segment = this.#segments.get(name);
      if (!segment || segment === this.#active?.segment) return;
      const file = await this.#options.files.open(name);
      try {
        await file.truncate(end);
        await file.sync();
      } finally {
        await file.close();
      }
      this.#bytes += end - segment.bytes;
      segment.bytes = end;
    });
  }

  /** Removes segments in which nothing waits. */
  tidy(): Promise<void> {
    return this.#inTurn(() => this.#removeDone());
  }

  /** Appends what `make` gives for the next sequence. Rejects as `fs` does; nothing is spooled then, no sequence is used. */
  append(make: (spoolId: string, sequence: number) => Uint8Array, sealedAtMs: () => number): Promise<LogEntry> {
    return this.#inTurn(async () => {
      if ((this.#active?.segment.bytes ?? Number.POSITIVE_INFINITY) >= this.#options.segmentBytes) await this.#roll();
      const { segment, file } = this.#active ?? (await this.#roll());
      const sequence = this.#next;
      const frame = frameEntry(sequence, make(this.#spoolId, sequence));
      await this.#write(file, frame, segment.bytes);
      const place = { sequence, offset: segment.bytes, length: frame.length, sealedAtMs: sealedAtMs() };
      const entry = { ...place, spoolId: this.#spoolId, segment: segment.name };
      this.#next += 1;
      segment.bytes += frame.length;
      segment.waiting += 1;
      this.#bytes += frame.length;
      this.#put(entry);
      return entry;
    });
  }

  /** The payload of an entry; undefined when it cannot be read intact any more. */
  read({ segment, offset, length, sequence }: LogEntry): Promise<Uint8Array | undefined> {
    return this.#inTurn(async () => {
      const active = this.#active?.segment.name === segment ? this.#active.file : undefined;
      const file = active ?? (await this.#options.files.open(segment));
      try {
        const bytes = await file.read(offset, length);
        const entry = entryAt(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0);
        return entry?.sequence === sequence ? entry.payload : undefined;
      } finally {
        if (!active) await file.close();
      }
    });
  }

  /** Lets go of everything that a mark of one of its spools covers. */
  acknowledge({ spoolId, contiguous, ranges }: SpoolMark): Promise<void> {
    return this.#inTurn(async () => {
      for (const entry of this.#entries.values()) {
        const covered = entry.sequence <= contiguous || ranges.some((range) => isIn(range, entry.sequence));
        if (entry.spoolId === spoolId && covered) this.#drop(entry);
      }
      await this.#removeDone();
    });
  }

  /** Lets go of one entry, whatever became of it. */
  forget(entry: LogEntry): Promise<void> {
    return this.#inTurn(async () => {
      this.#drop(entry);
      await this.#removeDone();
    });
  }

  /** The entries of the oldest segment that something waits in; none = nothing waits. */
  oldest(): readonly LogEntry[] {
    const oldest = [...this.#segments.values()].find(({ waiting }) => waiting > 0);
    return oldest ? [...this.#entries.values()].filter(({ segment }) => segment === oldest.name) : [];
  }

  /** Lets go of entries, and of their room on disk even if they stand in the segment that is written to. */
  drop(entries: readonly LogEntry[]): Promise<void> {
    return this.#inTurn(async () => {
      for (const entry of entries) this.#drop(entry);
      const { segment } = this.#active ?? {};
      if (segment && segment.waiting === 0 && segment.bytes > 0) await this.#roll();
      await this.#removeDone();
    });
  }

  /** A waiting entry; undefined = it waits no more, or never did. */
  find(spoolId: string, sequence: number): LogEntry | undefined {
    return this.#entries.get(keyOf({ spoolId, sequence }));
  }

  /** Ends after what was begun; nothing may be called afterwards. */
  close(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#active?.file.close();
      this.#active = undefined;
    });
  }

  async #write(file: SpoolFile, frame: Uint8Array, position: number): Promise<void> {
    try {
      await file.write(frame, position);
      await file.sync();
    } catch (error) {
      // What lies there now nobody knows: this file is not written to any more.
      await file.close().catch(() => {});
      this.#active = undefined;
      throw error;
    }
  }

  async #roll(): Promise<{ readonly segment: Segment; readonly file: SpoolFile }> {
    const before = this.#active;
    const { name } = segmentName(this.#spoolId, this.#next);
    const file = await this.#create(name);
    const segment = { name, spoolId: this.#spoolId, bytes: 0, waiting: 0 };
    this.#segments.set(name, segment);
    this.#active = { segment, file };
    await before?.file.close();
    return this.#active;
  }

  /** A new file whose existence is on disk. One of its name can only be one that nothing was ever spooled to. */
  async #create(name: string): Promise<SpoolFile> {
    const { files } = this.#options;
    this.#bytes -= this.#segments.get(name)?.bytes ?? 0;
    this.#segments.delete(name);
    if ((await files.list()).includes(name)) await files.remove(name);
    const file = await files.create(name);
    try {
      await file.sync();
      await files.syncFolder();
    } catch (error) {
      await file.close().catch(() => {});
      throw error;
    }
    return file;
  }

  /** Removes segments whose entries are all done, but for the one that is written to. */
  async #removeDone(): Promise<void> {
    for (const segment of this.#segments.values()) {
      if (segment.waiting > 0 || segment === this.#active?.segment) continue;
      await this.#options.files.remove(segment.name);
      this.#segments.delete(segment.name);
      this.#bytes -= segment.bytes;
    }
  }

  #put(entry: LogEntry): void {
    this.#entries.set(keyOf(entry), entry);
  }

  #drop(entry: LogEntry): void {
    if (!this.#entries.delete(keyOf(entry))) return;
    const segment = this.#segments.get(entry.segment);
    if (segment) segment.waiting -= 1;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => {});
    return done;
  }
}

function keyOf({ spoolId, sequence }: Pick<LogEntry, "spoolId" | "sequence">): string {
  return `${spoolId} ${sequence}`;
}

function isIn({ first, last }: SequenceRange, sequence: number): boolean {
  return sequence >= first && sequence <= last;
}
