import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type BatchKind, parseEnvelope } from "@plimsoll/contracts/wire";
import { readEntryHead } from "../rows/entry-head.ts";
import { lockHolder } from "../state/state-lock.ts";
import { readLostNote } from "./lost-note.ts";
import { type FoundSegment, findLosses, hasDamagedEnd, type LostEntries, readSegments } from "./recover-segments.ts";
import { RESERVE_NAME } from "./reserve.ts";
import { HEADER_BYTES } from "./segment-header.ts";
import { LANES } from "./spool.ts";
import { readOnlyFolder, type SpoolPlace } from "./spool-place.ts";

/** One segment file as it lies there. Times in milliseconds since 1970 UTC; null = nothing in it says. */
export interface SurveyedSegment {
  readonly kind: BatchKind;
  readonly name: string;
  readonly spoolId: string;
  readonly bytes: number;
  /** Nothing of it was ever sent, and it proves that. */
  readonly unsent: boolean;
  readonly headerDamaged: boolean;
  /** The disk does not give its bytes. */
  readonly unreadable: boolean;
  readonly batches: number;
  readonly rows: number;
  /** Of the batches that are there; null = none is. */
  readonly firstSequence: number | null;
  readonly lastSequence: number | null;
  readonly oldestSealedMs: number | null;
  readonly newestSealedMs: number | null;
  readonly damages: readonly { readonly offset: number; readonly length: number }[];
}

/** Something that was put aside. */
export interface QuarantinedFile {
  readonly name: string;
  readonly bytes: number;
  readonly atMs: number;
}

/** A spool as it lies on disk: read, never changed. */
export interface SpoolSurvey {
  readonly path: string;
  /** The agent that uses it now; null = none does. */
  readonly usedByPid: number | null;
  /** Room that is set aside for a full disk, bytes. */
  readonly reserveBytes: number;
  readonly segments: readonly SurveyedSegment[];
  readonly losses: readonly (LostEntries & { readonly kind: BatchKind })[];
  readonly quarantine: readonly QuarantinedFile[];
}

/** Reads a spool, also one that is in use. Rejects as `fs` does for what may not be read. */
export async function surveySpool(place: SpoolPlace): Promise<SpoolSurvey> {
  const usedByPid = await lockHolder(place.lock);
  const lanes = [];
  for (const kind of LANES) lanes.push(await surveyLane(place, kind, usedByPid !== null));
  return {
    path: place.spool,
    usedByPid,
    reserveBytes: await sizeOf(join(place.spool, RESERVE_NAME)),
    segments: lanes.flatMap(({ segments }) => segments),
    losses: lanes.flatMap(({ losses }) => losses),
    quarantine: await surveyQuarantine(place.quarantine),
  };
}

/** An entry that is being written while it is read looks like a damaged end: it is read again. */
const READINGS = 5;
const BETWEEN_READINGS_MS = 50;

async function surveyLane(place: SpoolPlace, kind: BatchKind, inUse: boolean) {
  const files = readOnlyFolder(join(place.spool, kind));
  for (let reading = 1; ; reading += 1) {
    const rows: number[] = [];
    const readHead = (payload: Uint8Array) => {
      rows.push(rowsOf(payload));
      return readEntryHead(payload);
    };
    const all = await readSegments(files, readHead, async () => {});
    // What has no header was made this moment, or went while it was read.
    const found = all.filter(({ bytes, unreadable }) => bytes >= HEADER_BYTES || unreadable);
    const newest = found.at(-1);
    if (inUse && newest && hasDamagedEnd(newest) && reading < READINGS) {
      await pause(BETWEEN_READINGS_MS);
      continue;
    }
    const noted = (await readLostNote(files)).losses;
    const losses = [...noted, ...[...Map.groupBy(found, ({ spoolId }) => spoolId).values()].flatMap(findLosses)];
    return {
      segments: found.map((segment) => segmentOf(kind, segment, rows.splice(0, segment.entries.length))),
      losses: losses.map((lost) => ({ kind, ...lost })),
    };
  }
}

function segmentOf(kind: BatchKind, segment: FoundSegment, rows: readonly number[]): SurveyedSegment {
  const { name, spoolId, bytes, unsent, intactHeader, unreadable, entries, damages } = segment;
  const sealed = entries.flatMap(({ sealedAtMs }) => sealedAtMs ?? []);
  return {
    kind,
    name,
    spoolId,
    bytes,
    unsent,
    headerDamaged: !intactHeader,
    unreadable,
    batches: entries.length,
    rows: rows.reduce((sum, count) => sum + count, 0),
    firstSequence: entries[0]?.sequence ?? null,
    lastSequence: entries.at(-1)?.sequence ?? null,
    oldestSealedMs: sealed.length === 0 ? null : Math.min(...sealed),
    newestSealedMs: sealed.length === 0 ? null : Math.max(...sealed),
    damages: damages.map(({ offset, length }) => ({ offset, length })),
  };
}

function rowsOf(payload: Uint8Array): number {
  try {
    return parseEnvelope(payload).rows;
  } catch {
    return 0;
  }
}

async function surveyQuarantine(path: string): Promise<readonly QuarantinedFile[]> {
  const names = await readOnlyFolder(path).list();
  const files = names.toSorted().map(async (name) => {
    const { size, mtimeMs } = await stat(join(path, name));
    return { name, bytes: size, atMs: mtimeMs };
  });
  return Promise.all(files);
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
