import type { BatchKind, SequenceRange } from "@plimsoll/contracts/wire";
import { isDiskFull } from "./disk-fault.ts";
import { rangeOf, unsentRuns } from "./log-entries.ts";
import type { Appended, LogEntry, SegmentLog } from "./segment-log.ts";
import type { SettleTools } from "./spool.ts";

/** What making room works on. */
export interface RoomNeeds {
  readonly logs: Readonly<Record<BatchKind, SegmentLog>>;
  /** Bytes of the whole spool now. */
  readonly bytes: () => number;
  /** Coarsening goes on down to this. */
  readonly targetBytes: number;
  /** Above this samples are dropped, down to the target. */
  readonly mostBytes: number;
  /** Batches that are merged at once are at most this together. */
  readonly maxRunBytes: number;
  readonly merger: SettleTools["merger"];
  readonly append: (kind: BatchKind, make: (spoolId: string, sequence: number) => Appended) => Promise<LogEntry>;
  readonly read: (kind: BatchKind, entry: LogEntry) => Promise<Uint8Array | undefined>;
  /** Entries that may not go out now. */
  readonly merging: WeakSet<LogEntry>;
  /** Entries that are not tried again. */
  readonly tried: WeakSet<LogEntry>;
  readonly onCoarsened: (batches: number) => void;
  readonly dropSamples: (entries: readonly LogEntry[]) => Promise<void>;
}

/** Fewer batches are not merged: it should be worth the writing. */
const LEAST_RUN = 12;
/** A hub looks at each of them, and refuses more. */
const MOST_REPLACED = 10_000;
/** A merged batch larger than this share of what it stands for is not worth its writing. */
const LARGEST_SHARE = 0.8;

/** What loses nothing comes first: usage and nodes are cumulative, so that the newest row of a key holds those before. */
const COARSENED = ["usage", "node", "sample"] as const;

/** Bytes that are read to be merged at one go: some seconds of work. Then the rest of the agent has its turn. */
const MOST_WORK_BYTES = 32 * 1024 * 1024;

/** Makes room: merges batches that were never sent; only when none is left to be merged, drops the oldest samples. */
export async function makeRoom(needs: RoomNeeds): Promise<void> {
  const work = { bytes: 0 };
  for (const kind of COARSENED) {
    while (needs.bytes() > needs.targetBytes && (await coarsenNext(needs, kind, work))) {
      // One run after the other, only as many as it takes.
      if (work.bytes > MOST_WORK_BYTES) return;
    }
  }
  const target = needs.bytes() > needs.mostBytes ? needs.targetBytes : needs.mostBytes;
  while (needs.bytes() > target) {
    const oldest = oldestSamples(needs.logs.sample, needs.merging);
    if (oldest.length === 0) return;
    await needs.dropSamples(oldest);
  }
}

/** What was read so far. */
interface Work {
  bytes: number;
}

/** Merges the oldest run of a kind. False = there is none, or the disk does not take its merged batch. */
async function coarsenNext(needs: RoomNeeds, kind: BatchKind, work: Work): Promise<boolean> {
  const log = needs.logs[kind];
  const isFree = (entry: LogEntry): boolean =>
    entry.spoolId === log.spoolId && log.isUnsent(entry) && !needs.tried.has(entry);
  const run = unsentRuns(log.waiting.values(), isFree, MOST_REPLACED).find(({ length }) => length >= LEAST_RUN);
  if (!run) return false;
  for (const entry of run) needs.merging.add(entry);
  try {
    return await coarsenRun(needs, kind, run, work);
  } finally {
    for (const entry of run) needs.merging.delete(entry);
  }
}

async function coarsenRun(needs: RoomNeeds, kind: BatchKind, run: readonly LogEntry[], work: Work): Promise<boolean> {
  const merger = needs.merger(kind);
  if (!merger) return false;
  const taken: LogEntry[] = [];
  let bytes = 0;
  for (const entry of run) {
    bytes += entry.length;
    const payload = bytes <= needs.maxRunBytes ? await needs.read(kind, entry) : undefined;
    work.bytes += payload?.length ?? 0;
    if (!payload || !merger.add(payload)) break;
    taken.push(entry);
  }
  const [first, last] = [taken[0], taken.at(-1)];
  const range = first && rangeOf(first);
  // Where the room for more is missing, few are better than none.
  const least = bytes > needs.maxRunBytes ? 2 : LEAST_RUN;
  if (!range || !last || taken.length < least) {
    // What stopped the run stays behind with it: the next one begins after it.
    for (const entry of run.slice(0, taken.length + 1)) needs.tried.add(entry);
    return true;
  }
  return replace(needs, kind, taken, { first: range.first, last: last.sequence }, merger);
}

/** Thrown out of an append: the merged batch is not worth it. */
class NotSmaller extends Error {}

async function replace(
  needs: RoomNeeds,
  kind: BatchKind,
  taken: readonly LogEntry[],
  replaces: SequenceRange,
  merger: NonNullable<ReturnType<RoomNeeds["merger"]>>,
): Promise<boolean> {
  const log = needs.logs[kind];
  const most = taken.reduce((sum, { length }) => sum + length, 0) * LARGEST_SHARE;
  try {
    // The merged batch stands in a segment of its own or a newer one, so that those of the others can go.
    if (taken.some(({ segment }) => log.isActive(segment))) await log.turnOver();
    await needs.append(kind, (spoolId, sequence) => {
      const sealed = merger.seal(spoolId, sequence, replaces);
      if (!sealed || sealed.bytes.length > most) throw new NotSmaller();
      const { bytes, sealedAtMs, untilMs = sealedAtMs } = sealed;
      return { bytes, head: { sealedAtMs, untilMs, replaces } };
    });
  } catch (error) {
    // Without room for it now, the next time tries again.
    if (isDiskFull(error)) return false;
    for (const entry of taken) needs.tried.add(entry);
    if (error instanceof NotSmaller) return true;
    throw error;
  }
  await log.drop(taken);
  needs.onCoarsened(taken.length);
  return true;
}

/** The samples of the segment that holds the oldest one; none = nothing may be dropped. */
function oldestSamples(log: SegmentLog, merging: WeakSet<LogEntry>): readonly LogEntry[] {
  const free = [...log.waiting.values()].filter((entry) => !merging.has(entry));
  const ageOf = ({ sealedAtMs }: LogEntry): number => sealedAtMs ?? 0;
  let oldest = free[0];
  for (const entry of free) if (oldest && ageOf(entry) < ageOf(oldest)) oldest = entry;
  return free.filter(({ segment, spoolId }) => segment === oldest?.segment && spoolId === oldest.spoolId);
}
