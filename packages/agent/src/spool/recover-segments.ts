import type { SequenceRange } from "@plimsoll/contracts/wire";
import { type Damage, FRAME_BYTES, type FramedEntry, scanEntries } from "./entry-frame.ts";
import { HEADER_BYTES, isIntactHeader, provesUnsent } from "./segment-header.ts";
import { parseSegmentName, type SegmentName } from "./segment-name.ts";
import type { SpoolFiles } from "./spool-files.ts";

/** What the spool needs to know of an envelope. Times in milliseconds since 1970 UTC. */
export interface EntryHead {
  /** When its batch was sealed, or the oldest of those that it stands for; null = the payload does not say. */
  readonly sealedAtMs: number | null;
  /** Up to when its facts may run; for most the same. */
  readonly untilMs: number | null;
  /** The batches that it stands for. */
  readonly replaces: SequenceRange | null;
}

/** Reads the head of an envelope. Never throws. */
export type ReadHead = (payload: Uint8Array) => EntryHead;

/** Where an entry lies, without its payload. */
export interface EntryPlace extends EntryHead {
  readonly sequence: number;
  readonly offset: number;
  readonly length: number;
}

/** A segment as it was found. */
export interface FoundSegment extends SegmentName {
  /** Length of its file. */
  readonly bytes: number;
  /** Nothing of it was ever sent, and it proves that. */
  readonly unsent: boolean;
  readonly intactHeader: boolean;
  /** The disk does not give its bytes: it is left where it is, and what is in it counts as lost. */
  readonly unreadable: boolean;
  readonly entries: readonly EntryPlace[];
  readonly damages: readonly Damage[];
}

/** Entries that were in a spool and are lost. */
export interface LostEntries {
  readonly spoolId: string;
  readonly range: SequenceRange;
  readonly batches: number;
  readonly bytes: number;
  /** A damaged end: the last of them may never have been finished, and more may have followed. */
  readonly openEnd: boolean;
  /** Between these two they were sealed; null = nothing is known of before, or after. */
  readonly afterMs: number | null;
  readonly beforeMs: number | null;
}

/** What is done with bytes that are no entry, before they are cut or passed over. */
export type KeepDamage = (segment: SegmentName, damage: Damage, content: Uint8Array) => Promise<void>;

/** Reads every segment of a folder, in order of spool and sequence, one in memory at a time. */
export async function readSegments(
  files: Pick<SpoolFiles, "list" | "readAll">,
  readHead: ReadHead,
  keep: KeepDamage,
): Promise<readonly FoundSegment[]> {
  const names = (await files.list()).flatMap((name) => parseSegmentName(name) ?? []);
  const sorted = names.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const found: FoundSegment[] = [];
  for (const [index, name] of sorted.entries()) {
    const content = await readContent(files, name.name);
    if (!content) {
      found.push({ ...name, bytes: 0, unsent: false, intactHeader: true, unreadable: true, entries: [], damages: [] });
      continue;
    }
    const { entries, damages } = scanEntries(content, HEADER_BYTES);
    for (const damage of damages) {
      await keep(name, damage, content.subarray(damage.offset, damage.offset + damage.length));
    }
    const own = entries.filter((entry) => isOwn(entry, name, sorted[index + 1]));
    found.push({
      ...name,
      bytes: content.length,
      unsent: provesUnsent(content),
      intactHeader: isIntactHeader(content),
      unreadable: false,
      entries: own.map((entry) => placeOf(entry, readHead)),
      damages,
    });
  }
  return found;
}

/** Undefined where the disk has a bad place; whatever else keeps a file from being read is thrown. */
async function readContent(files: Pick<SpoolFiles, "readAll">, name: string): Promise<Uint8Array | undefined> {
  try {
    return await files.readAll(name);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EIO") return undefined;
    throw error;
  }
}

function placeOf({ sequence, offset, length, payload }: FramedEntry, readHead: ReadHead): EntryPlace {
  return { sequence, offset, length, ...readHead(payload) };
}

/** An entry whose writing failed may lie in one segment and, finished, in the next: the later one counts. */
function isOwn(entry: FramedEntry, own: SegmentName, next: SegmentName | undefined): boolean {
  const end = next?.spoolId === own.spoolId ? next.firstSequence : Number.POSITIVE_INFINITY;
  return entry.sequence >= own.firstSequence && entry.sequence < end;
}

/**
 * What is missing of one spool's segments: holes inside of them, and damaged ends. A segment that is not there at all was
 * removed because everything in it was done: its existence was on disk before anything was spooled to it.
 */
export function findLosses(segments: readonly FoundSegment[]): readonly LostEntries[] {
  const losses: LostEntries[] = [];
  let afterMs: number | null = null;
  for (const [index, segment] of segments.entries()) {
    const { spoolId, entries } = segment;
    const bytes = segment.damages.reduce((sum, { length }) => sum + length, 0);
    let expected = segment.firstSequence;
    const lose = (next: number, beforeMs: number | null, openEnd: boolean): void => {
      const [batches, range] = [next - expected, { first: expected, last: next - 1 }];
      if (batches > 0) losses.push({ spoolId, range, batches, bytes, openEnd, afterMs, beforeMs });
    };
    for (const entry of entries) {
      lose(entry.sequence, entry.sealedAtMs, false);
      expected = entry.sequence + 1;
      afterMs = entry.sealedAtMs ?? afterMs;
    }
    const next = segments[index + 1];
    if (hasDamagedEnd(segment)) lose(endOfDamage(segment, expected, next), next?.entries[0]?.sealedAtMs ?? null, !next);
  }
  return losses;
}

/**
 * The sequence behind those that stood in a damaged end. Where a segment follows, it is the one that begins there, as far
 * as the damaged bytes could hold so many; else one at least, more as far as they show plausible ones.
 */
function endOfDamage({ damages, unreadable }: FoundSegment, expected: number, next: FoundSegment | undefined): number {
  if (unreadable && next) return next.firstSequence;
  const tail = damages.find((damage) => damage.tail);
  const most = expected + Math.max(1, Math.floor((tail?.length ?? 0) / FRAME_BYTES));
  if (next) return Math.min(next.firstSequence, most);
  const shown = tail?.lastSequence ?? expected;
  return (shown > expected && shown < most ? shown : expected) + 1;
}

/** Do bytes follow the last intact entry, as far as anybody knows? */
export function hasDamagedEnd({ damages, unreadable }: FoundSegment): boolean {
  return unreadable || damages.some(({ tail }) => tail);
}
