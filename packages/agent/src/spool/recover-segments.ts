import type { SequenceRange } from "@plimsoll/contracts/wire";
import { type Damage, FRAME_BYTES, type FramedEntry, scanEntries } from "./entry-frame.ts";
import { parseSegmentName, type SegmentName } from "./segment-name.ts";
import type { SpoolFiles } from "./spool-files.ts";

/** Where an entry lies, without its payload. */
export interface EntryPlace {
  readonly sequence: number;
  readonly offset: number;
  readonly length: number;
  /** When its batch was sealed, milliseconds since 1970 UTC; null = the payload does not say. */
  readonly sealedAtMs: number | null;
}

/** A segment as it was found. */
export interface FoundSegment extends SegmentName {
  /** Length of its file. */
  readonly bytes: number;
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
  files: SpoolFiles,
  sealedAtOf: (payload: Uint8Array) => number | null,
  keep: KeepDamage,
): Promise<readonly FoundSegment[]> {
  const names = (await files.list()).flatMap((name) => parseSegmentName(name) ?? []);
  const sorted = names.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const found: FoundSegment[] = [];
  for (const [index, name] of sorted.entries()) {
    const content = await files.readAll(name.name);
    const { entries, damages } = scanEntries(content);
    for (const damage of damages) {
      await keep(name, damage, content.subarray(damage.offset, damage.offset + damage.length));
    }
    const own = entries.filter((entry) => isOwn(entry, name, sorted[index + 1]));
    found.push({ ...name, bytes: content.length, entries: own.map((entry) => placeOf(entry, sealedAtOf)), damages });
  }
  return found;
}

function placeOf(
  { sequence, offset, length, payload }: FramedEntry,
  sealedAtOf: (payload: Uint8Array) => number | null,
) {
  return { sequence, offset, length, sealedAtMs: sealedAtOf(payload) };
}

/** An entry whose writing failed may lie in one segment and, finished, in the next: the later one counts. */
function isOwn(entry: FramedEntry, own: SegmentName, next: SegmentName | undefined): boolean {
  const end = next?.spoolId === own.spoolId ? next.firstSequence : Number.POSITIVE_INFINITY;
  return entry.sequence >= own.firstSequence && entry.sequence < end;
}

/** What is missing of one spool's segments: holes in its sequence, and a damaged end. */
export function findLosses(segments: readonly FoundSegment[]): readonly LostEntries[] {
  const losses: LostEntries[] = [];
  let expected = segments[0]?.firstSequence ?? 1;
  let afterMs: number | null = null;
  const lose = (segment: FoundSegment, next: number, beforeMs: number | null, openEnd = false): void => {
    const batches = next - expected;
    const bytes = segment.damages.reduce((sum, { length }) => sum + length, 0);
    const range = { first: expected, last: next - 1 };
    if (batches > 0) losses.push({ spoolId: segment.spoolId, range, batches, bytes, openEnd, afterMs, beforeMs });
    expected = Math.max(expected, next);
  };
  for (const segment of segments) {
    // A segment is named after what its first entry must be: what came before it is not there any more.
    lose(segment, segment.firstSequence, segment.entries[0]?.sealedAtMs ?? null);
    for (const entry of segment.entries) {
      lose(segment, entry.sequence, entry.sealedAtMs);
      expected = entry.sequence + 1;
      afterMs = entry.sealedAtMs ?? afterMs;
    }
  }
  const last = segments.at(-1);
  if (last && hasDamagedEnd(last)) lose(last, endOfDamage(last, expected) + 1, null, true);
  return losses;
}

/** The last sequence that stood in a damaged end: one at least, more as far as it shows plausible ones. */
function endOfDamage({ damages }: FoundSegment, expected: number): number {
  const tail = damages.find((damage) => damage.tail);
  const most = expected + Math.floor((tail?.length ?? 0) / FRAME_BYTES);
  const shown = tail?.lastSequence ?? expected;
  return shown > expected && shown < most ? shown : expected;
}

/** Do bytes follow the last intact entry? */
export function hasDamagedEnd({ damages }: FoundSegment): boolean {
  return damages.some(({ tail }) => tail);
}
