import type { LiveSegment } from "../ledger/segment-rows.ts";
import type { SegmentKind } from "../store/tables-ledger.ts";

/** Files that become one, or as many as their size asks for. */
export type Merge = readonly LiveSegment[];

/** No merged file is larger, but for one hour that is. */
export const MAX_SEGMENT_BYTES = 128 * 1024 * 1024;
/** Files of one generation that are worth a merge while their hour is still written. */
const MERGE_FROM = 16;
/** Time after the end of an hour or a day in which its facts are still on their way. */
const SETTLE_MS = 2 * 3_600_000;
/** Files of which the newest is older than that have found their end: late facts come in bursts. */
const QUIET_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * The merges that are worth their reading and writing. While an hour is written, files of one generation become one of the
 * next, so that a row is copied a few times at most; an hour that is quiet becomes one file; a day that is quiet becomes as
 * few files as its size allows, each of whole hours. Priced rows are left alone until they are quiet: the next pricing takes
 * their place.
 */
export function planMerges(kind: SegmentKind, segments: readonly LiveSegment[], nowMs: number): readonly Merge[] {
  return [...Map.groupBy(segments, ({ hourStartMs }) => dayOf(hourStartMs))].flatMap(([dayMs, ofDay]) =>
    isQuiet(ofDay, dayMs + DAY_MS, nowMs) ? packDay(ofDay) : mergesOfHours(kind, ofDay, nowMs),
  );
}

/** Is the day of these segments over, with nothing written to it for a while? */
export function isQuietDay(segments: readonly LiveSegment[], nowMs: number): boolean {
  const [first] = segments;
  return first !== undefined && isQuiet(segments, dayOf(first.hourStartMs) + DAY_MS, nowMs);
}

function dayOf(ms: number): number {
  return ms - (ms % DAY_MS);
}

function isQuiet(segments: readonly LiveSegment[], endMs: number, nowMs: number): boolean {
  const newestMs = segments.reduce((newest, { createdAtMs }) => Math.max(newest, createdAtMs), 0);
  return endMs + SETTLE_MS < nowMs && newestMs + QUIET_MS < nowMs;
}

function mergesOfHours(kind: SegmentKind, segments: readonly LiveSegment[], nowMs: number): readonly Merge[] {
  // A file of many hours waits until its day is quiet.
  const ofOneHour = segments.filter(({ hourStartMs, endMs }) => kind === "gap" || endMs - hourStartMs === HOUR_MS);
  return [...Map.groupBy(ofOneHour, ({ hourStartMs }) => hourStartMs)].flatMap(([hourStartMs, ofHour]) => {
    if (isQuiet(ofHour, hourStartMs + HOUR_MS, nowMs)) return ofHour.length > 1 ? [ofHour] : [];
    if (kind === "cost") return [];
    return [...Map.groupBy(ofHour, ({ generation }) => generation).values()].filter(
      ({ length }) => length >= MERGE_FROM,
    );
  });
}

/** Neighbours go together as long as they are small; what overlaps goes together always, for it may hold the same keys. */
function packDay(segments: readonly LiveSegment[]): readonly Merge[] {
  const packs: LiveSegment[][] = [];
  for (const part of overlapping(segments)) {
    const pack = packs.at(-1);
    if (pack && bytesOf(pack) + bytesOf(part) <= MAX_SEGMENT_BYTES) pack.push(...part);
    else packs.push([...part]);
  }
  return packs.filter(({ length }) => length > 1);
}

/** Segments by the hours that they have in common, in order of time. */
function overlapping(segments: readonly LiveSegment[]): readonly (readonly LiveSegment[])[] {
  const parts: LiveSegment[][] = [];
  let endMs = 0;
  for (const segment of segments.toSorted((a, b) => a.hourStartMs - b.hourStartMs)) {
    const part = parts.at(-1);
    if (part && segment.hourStartMs < endMs) part.push(segment);
    else parts.push([segment]);
    endMs = Math.max(endMs, segment.endMs);
  }
  return parts;
}

/** Size of some segments together. */
export function bytesOf(segments: readonly Pick<LiveSegment, "bytes">[]): number {
  return segments.reduce((sum, { bytes }) => sum + bytes, 0);
}
