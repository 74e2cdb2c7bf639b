import type { SpoolMark } from "@plimsoll/contracts/wire";
import { isDiskFull } from "./disk-fault.ts";
import { entryAt, frameEntry } from "./entry-frame.ts";
import { isIn } from "./log-entries.ts";
import { type EntryHead, type EntryPlace, type FoundSegment, hasDamagedEnd } from "./recover-segments.ts";
import { HEADER_BYTES, newHeader, SENT_MARK } from "./segment-header.ts";
import { segmentName } from "./segment-name.ts";
import type { SpoolFile, SpoolFiles } from "./spool-files.ts";

/** One entry that waits, as it stands in the log. */
export interface LogEntry extends EntryPlace {
  readonly spoolId: string;
  readonly segment: string;
}

/** What a log writes with. */
export interface SegmentLogOptions {
  readonly files: SpoolFiles;
  /** A segment that has grown to this is followed by a new one. */
  readonly segmentBytes: number;
}

/** What is appended: its bytes, and what their head says. */
export interface Appended {
  readonly bytes: Uint8Array;
  readonly head: EntryHead;
}

/** `marking`: being marked as sent; whether the mark is on disk nobody knows yet. */
type Sending = "unsent" | "marking" | "sent";

interface Segment {
  readonly name: string;
  readonly spoolId: string;
  bytes: number;
  waiting: number;
  sending: Sending;
  /** Where its intact part ends, until what lies behind is cut. */
  cutAt: number | undefined;
  /** A write to it failed: what lies behind its end nobody knows. */
  doubtful: boolean;
}

/**
 * An append-only log in segment files. An entry is spooled once `append` resolves: its bytes are on disk. Acknowledged
 * entries go with their segment; the segment that is written to stays, as it holds spool id and sequence. Calls may overlap,
 * they are done one after the other. No file stays open between them.
 */
export class SegmentLog {
  readonly #options: SegmentLogOptions;
  /** Entries that wait, oldest first. */
  readonly #entries = new Map<string, LogEntry>();
  readonly #segments = new Map<string, Segment>();
  #active: Segment | undefined;
  #spoolId = "";
  #next = 1;
  #bytes = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: SegmentLogOptions, found: readonly FoundSegment[]) {
    this.#options = options;
    for (const segment of found) {
      if (segment.unreadable) continue;
      const { name, spoolId, bytes, entries, unsent } = segment;
      const sending = unsent ? "unsent" : "sent";
      const [waiting, cutAt] = [entries.length, cutOf(segment)];
      this.#segments.set(name, { name, spoolId, bytes, waiting, sending, cutAt, doubtful: false });
      this.#bytes += bytes;
      for (const entry of entries) this.#put({ ...entry, spoolId, segment: name });
    }
  }

  get spoolId(): string {
    return this.#spoolId;
  }

  /** The sequence that is appended next, or now. */
  get next(): number {
    return this.#next;
  }

  /** Bytes of all segment files. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Entries that wait, oldest first; a live view. */
  get waiting(): ReadonlyMap<string, LogEntry> {
    return this.#entries;
  }

  /** For `openLog`: goes on with a spool, in its last segment or a new one; where a disk takes none now, the next append tries. */
  async begin({ spoolId, next }: { readonly spoolId: string; readonly next: number }): Promise<void> {
    this.#spoolId = spoolId;
    this.#next = next;
    const last = this.#newest();
    // One that was made, but whose header did not get to the disk, is made anew.
    this.#active = last && last.bytes >= HEADER_BYTES ? last : await this.#roll().catch(() => undefined);
  }

  /** Cuts damaged ends of segments that are not written to any more, and removes those in which nothing waits. */
  tidy(): Promise<void> {
    return this.#inTurn(async () => {
      for (const segment of this.#segments.values()) {
        if (segment.cutAt !== undefined && segment !== this.#active) await this.#cut(segment, segment.cutAt);
      }
      await this.#removeDone();
    });
  }

  /** Appends what `make` gives for the next sequence. Rejects as `fs` does; nothing is spooled then, no sequence is used. */
  append(make: (spoolId: string, sequence: number) => Appended): Promise<LogEntry> {
    return this.#inTurn(async () => {
      const sequence = this.#next;
      const { bytes, head } = make(this.#spoolId, sequence);
      if ((this.#active?.bytes ?? Number.POSITIVE_INFINITY) >= this.#options.segmentBytes) await this.#roll();
      const segment = this.#active ?? (await this.#roll());
      const frame = frameEntry(sequence, bytes);
      await this.#write(segment, frame);
      const place = { sequence, offset: segment.bytes, length: frame.length };
      const entry = { ...place, ...head, spoolId: this.#spoolId, segment: segment.name };
      this.#next += 1;
      this.#grow(segment, frame.length);
      segment.waiting += 1;
      this.#put(entry);
      return entry;
    });
  }

  /** The payload of an entry; undefined when it cannot be read intact any more. */
  read({ segment, offset, length, sequence }: LogEntry): Promise<Uint8Array | undefined> {
    return this.#inTurn(async () => {
      const bytes = await this.#options.files.read(segment, offset, length);
      const entry = entryAt(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0);
      return entry?.sequence === sequence ? entry.payload : undefined;
    });
  }

  /**
   * Makes it durable that the segment of an entry may have been sent. False = it could not, or the entry may not go any
   * more: then it must not go out, as a later run would take it for unsent.
   */
  markSent({ segment: name }: LogEntry, mayGo: () => boolean): Promise<boolean> {
    return this.#inTurn(async () => {
      const segment = this.#segments.get(name);
      if (!segment || !mayGo()) return false;
      if (segment.sending === "sent") return true;
      segment.sending = "marking";
      try {
        await this.#with(name, async (file) => {
          await file.write(SENT_MARK.bytes, SENT_MARK.position);
          await file.sync();
        });
      } catch {
        return false;
      }
      segment.sending = "sent";
      return true;
    });
  }

  /** Is it proven that an entry was never sent? */
  isUnsent({ segment }: LogEntry): boolean {
    return this.#segments.get(segment)?.sending === "unsent";
  }

  /** Lets go of everything that a mark of one of its spools covers. A disk that removes nothing now is asked again later. */
  acknowledge({ spoolId, contiguous, ranges }: SpoolMark): Promise<void> {
    return this.#inTurn(async () => {
      for (const entry of this.#entries.values()) {
        const covered = entry.sequence <= contiguous || ranges.some((range) => isIn(range, entry.sequence));
        if (entry.spoolId === spoolId && covered) this.#drop(entry);
      }
      await this.#removeDone();
    });
  }

  /** Lets go of entries, whatever became of them. */
  forget(entries: readonly LogEntry[]): Promise<void> {
    return this.#inTurn(async () => {
      for (const entry of entries) this.#drop(entry);
      await this.#removeDone();
    });
  }

  /** Lets go of entries, and of their room on disk even if they stand in the segment that is written to. */
  drop(entries: readonly LogEntry[]): Promise<void> {
    return this.#inTurn(async () => {
      for (const entry of entries) this.#drop(entry);
      // Without a new segment (a full disk) this one stays; its entries are done all the same.
      if (this.#active?.waiting === 0 && this.#active.bytes > HEADER_BYTES) await this.#roll().catch(() => {});
      await this.#removeDone();
    });
  }

  /** Is it the segment that is written to? */
  isActive(segment: string): boolean {
    return this.#active?.name === segment;
  }

  /** From here on another segment is written to: what stands in the one before may go without what follows. */
  turnOver(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#active && this.#active.bytes > HEADER_BYTES) await this.#roll();
    });
  }

  /** A waiting entry; undefined = it waits no more, or never did. */
  find(spoolId: string, sequence: number): LogEntry | undefined {
    return this.#entries.get(keyOf({ spoolId, sequence }));
  }

  /** Ends after what was begun; nothing may be called afterwards. */
  close(): Promise<void> {
    return this.#inTurn(async () => {});
  }

  async #write(segment: Segment, frame: Uint8Array): Promise<void> {
    let doubtful = false;
    try {
      await this.#with(segment.name, async (file) => {
        doubtful = true;
        try {
          await file.write(frame, segment.bytes);
        } catch (error) {
          // Nothing of it was finished: once it is cut off, the segment is what it was, and the disk has the room back.
          if (isDiskFull(error)) doubtful = !(await cutBack(file, segment.bytes));
          throw error;
        }
        await file.sync();
      });
    } catch (error) {
      // What lies there now nobody knows: this file is not written to any more.
      if (doubtful) {
        segment.doubtful = true;
        this.#active = undefined;
      }
      throw error;
    }
  }

  async #cut(segment: Segment, end: number): Promise<void> {
    await this.#with(segment.name, async (file) => {
      await file.truncate(end);
      await file.sync();
    });
    this.#grow(segment, end - segment.bytes);
    segment.cutAt = undefined;
  }

  /** Begins a new segment. When that fails, nothing is appended to the one before any more: the name may be there. */
  async #roll(): Promise<Segment> {
    this.#active = undefined;
    const { name } = segmentName(this.#spoolId, this.#next);
    await this.#create(name);
    const { spoolId } = this;
    const segment = {
      name,
      spoolId,
      bytes: 0,
      waiting: 0,
      sending: "unsent" as const,
      cutAt: undefined,
      doubtful: false,
    };
    this.#segments.set(name, segment);
    this.#grow(segment, HEADER_BYTES);
    this.#active = segment;
    await this.#cutDoubtful();
    return segment;
  }

  /** What a failed write left would look like a batch that was lost, once the segment that it was written to instead is gone. */
  async #cutDoubtful(): Promise<void> {
    for (const segment of this.#segments.values()) {
      if (!segment.doubtful || segment === this.#active) continue;
      // Where it cannot be cut now, the next new segment tries again.
      const isCut = await this.#cut(segment, segment.bytes).then(
        () => true,
        () => false,
      );
      segment.doubtful = !isCut;
    }
  }

  /** A new file whose existence is on disk. One of its name can only be one that nothing was ever spooled to. */
  async #create(name: string): Promise<void> {
    const { files } = this.#options;
    this.#bytes -= this.#segments.get(name)?.bytes ?? 0;
    this.#segments.delete(name);
    if ((await files.list()).includes(name)) await files.remove(name);
    const file = await files.create(name);
    try {
      await file.write(newHeader(), 0);
      await file.sync();
      await files.syncFolder();
    } finally {
      await file.close();
    }
  }

  /** Removes segments whose entries are all done, but for the newest: it says which sequences were used. */
  async #removeDone(): Promise<void> {
    const newest = this.#newest();
    for (const segment of this.#segments.values()) {
      if (segment.waiting > 0 || segment === newest) continue;
      try {
        await this.#options.files.remove(segment.name);
      } catch {
        // A disk that removes nothing now (read-only): its entries are done all the same, and the next time tries again.
        continue;
      }
      this.#segments.delete(segment.name);
      this.#bytes -= segment.bytes;
    }
  }

  /** The last segment of the spool that is written to. */
  #newest(): Segment | undefined {
    return [...this.#segments.values()].findLast(({ spoolId }) => spoolId === this.#spoolId);
  }

  async #with<T>(name: string, work: (file: SpoolFile) => Promise<T>): Promise<T> {
    const file = await this.#options.files.open(name);
    try {
      return await work(file);
    } finally {
      await file.close();
    }
  }

  #grow(segment: Segment, bytes: number): void {
    segment.bytes += bytes;
    this.#bytes += bytes;
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

/** Takes what was written last off a file; false = it may still be there. */
async function cutBack(file: SpoolFile, size: number): Promise<boolean> {
  try {
    await file.truncate(size);
    await file.sync();
    return true;
  } catch {
    return false;
  }
}

/** Where the intact part of a segment with a damaged end stops. */
function cutOf(segment: FoundSegment): number | undefined {
  return hasDamagedEnd(segment) ? segment.damages.find(({ tail }) => tail)?.offset : undefined;
}
