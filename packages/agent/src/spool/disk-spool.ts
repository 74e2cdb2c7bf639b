import { PlimsollError } from "@plimsoll/contracts";
import type { BatchKind, SpoolMark, SpoolState } from "@plimsoll/contracts/wire";
import { type DiskState, isDiskFull } from "./disk-fault.ts";
import { lostOf } from "./log-entries.ts";
import { makeRoom } from "./make-room.ts";
import { type OpenedLog, openLog } from "./open-log.ts";
import type { LostEntries } from "./recover-segments.ts";
import type { Reserve } from "./reserve.ts";
import { createReserve } from "./reserve.ts";
import type { LogEntry, SegmentLog } from "./segment-log.ts";
import {
  LANES,
  type Sealed,
  type SettleTools,
  type Spool,
  type SpooledBatch,
  type SpoolFigures,
  type SpoolLoss,
  type SpoolOptions,
  type SpoolReader,
} from "./spool.ts";
import { type LaneEntry, OrderedReader } from "./spool-reader.ts";
import { createSyncTimes, type SyncTimes, timeSyncs } from "./sync-times.ts";

type Lanes<T> = Readonly<Record<BatchKind, T>>;

/** Opens the spool in its folders, also on a disk that takes nothing now. Rejects with `spool_unwritable` when they cannot be read. */
export async function openSpool(options: SpoolOptions): Promise<Spool> {
  const segmentBytes = options.segmentBytes ?? Math.min(4 * 1024 * 1024, Math.ceil(options.maxBytes() / 64));
  const syncs = createSyncTimes(options.onSync);
  const open = (kind: BatchKind): Promise<OpenedLog> =>
    openLog({ ...options, files: timeSyncs(options.files[kind], syncs), segmentBytes });
  try {
    const logs = {
      gap: await open("gap"),
      usage: await open("usage"),
      node: await open("node"),
      sample: await open("sample"),
    };
    const spool = new DiskSpool(options, logs, syncs);
    await spool.setAside();
    return spool;
  } catch (error) {
    throw unwritable(error);
  }
}

class DiskSpool implements Spool {
  readonly #options: SpoolOptions;
  readonly #opened: Lanes<OpenedLog>;
  readonly #logs: Lanes<SegmentLog>;
  readonly #reserve: Reserve | undefined;
  readonly #syncs: SyncTimes;
  readonly #listeners: (() => void)[] = [];
  readonly #readers = new Set<OrderedReader>();
  /** Entries that are being merged: they do not go out meanwhile. */
  readonly #merging = new WeakSet<LogEntry>();
  /** Entries that were tried to be merged, and better stay as they are. */
  readonly #tried = new WeakSet<LogEntry>();
  readonly #losses: SpoolLoss[];
  #untidy = true;
  #disk: DiskState = "ok";
  /** A write was refused for want of room since the spool was last settled. */
  #refused = false;
  readonly #counts = { gaps: 0, coarsened: 0, dropped: 0, writeFailures: 0 };

  constructor(options: SpoolOptions, opened: Lanes<OpenedLog>, syncs: SyncTimes) {
    const { gap, usage, node, sample } = opened;
    this.#options = options;
    this.#opened = opened;
    this.#logs = { gap: gap.log, usage: usage.log, node: node.log, sample: sample.log };
    this.#reserve = options.reserve && createReserve(options.reserve.files, options.reserve.bytes);
    this.#syncs = syncs;
    this.#losses = LANES.flatMap((lane) =>
      opened[lane].losses.map((lost) => this.#lossOf(lane, lost, "spool_corrupt")),
    );
  }

  /** Sets the reserve aside, if the disk has the room. */
  async setAside(): Promise<void> {
    await this.#reserve?.ensure();
  }

  async append(kind: BatchKind, seal: (spoolId: string, sequence: number) => Sealed): Promise<void> {
    let sealing: { readonly failed: unknown } | undefined;
    const make = (spoolId: string, sequence: number) => {
      try {
        return appended(seal(spoolId, sequence));
      } catch (failed) {
        sealing = { failed };
        throw failed;
      }
    };
    try {
      await this.#write(kind, () => this.#logs[kind].append(make));
    } catch (error) {
      throw sealing ? sealing.failed : unwritable(error);
    }
  }

  reader(): SpoolReader {
    const waiting = LANES.flatMap((lane) => [...this.#logs[lane].waiting.values()].map((entry) => ({ lane, entry })));
    const reader = new OrderedReader(
      {
        isWaiting: ({ lane, entry }) => this.#isWaiting(lane, entry),
        take: (of) => this.#take(of),
        onClose: (closed) => this.#readers.delete(closed),
      },
      waiting,
    );
    this.#readers.add(reader);
    return reader;
  }

  async acknowledge(mark: SpoolMark): Promise<void> {
    for (const lane of LANES) await this.#logs[lane].acknowledge(mark);
  }

  async forget({ spoolId, sequence }: Pick<SpooledBatch, "spoolId" | "sequence">): Promise<void> {
    for (const lane of LANES) {
      const entry = this.#logs[lane].find(spoolId, sequence);
      if (entry) await this.#logs[lane].forget([entry]);
    }
  }

  async settle(tools: SettleTools): Promise<void> {
    while (this.#losses[0]) {
      await this.#record(tools, this.#losses[0]);
      this.#losses.shift();
    }
    if (this.#untidy) for (const lane of LANES) await this.#opened[lane].tidy();
    this.#untidy = false;
    await this.#dropAged(tools);
    await this.#keepBounds(tools);
    await this.setAside();
  }

  states(): readonly Pick<SpoolState, "spoolId" | "firstSequence" | "lastSequence">[] {
    const waiting = LANES.flatMap((lane) => [...this.#logs[lane].waiting.values()]);
    const held = Map.groupBy(waiting, ({ spoolId }) => spoolId);
    const empty = LANES.map((lane) => this.#logs[lane]).filter(({ spoolId, next }) => next > 1 && !held.has(spoolId));
    return [
      ...[...held].map(([spoolId, entries]) => stateOf(spoolId, entries)),
      // What was sealed before is not here any more, and what comes goes on behind it.
      ...empty.map(({ spoolId, next }) => ({ spoolId, firstSequence: BigInt(next), lastSequence: BigInt(next - 1) })),
    ];
  }

  figures(): SpoolFigures {
    const logs = LANES.map((lane) => this.#logs[lane]);
    let oldest = Number.POSITIVE_INFINITY;
    for (const log of logs)
      for (const { sealedAtMs } of log.waiting.values()) oldest = Math.min(oldest, sealedAtMs ?? oldest);
    return {
      spoolId: this.#logs.usage.spoolId,
      batches: logs.reduce((sum, log) => sum + log.waiting.size, 0),
      bytes: this.#bytes(),
      oldestSealedMs: oldest === Number.POSITIVE_INFINITY ? null : oldest,
      ...this.#counts,
      disk: this.#disk,
      reserved: this.#reserve?.held ?? false,
      ...this.#syncs.figures(),
    };
  }

  onAppend(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    for (const lane of LANES) await this.#logs[lane].close();
  }

  #bytes(): number {
    return LANES.reduce((sum, lane) => sum + this.#logs[lane].bytes, 0);
  }

  #isWaiting(lane: BatchKind, { spoolId, sequence }: LogEntry): boolean {
    return this.#logs[lane].find(spoolId, sequence) !== undefined;
  }

  /** Writes an entry, a gap record with the reserve's room if need be, and notes how the disk takes it. */
  async #write(kind: BatchKind, write: () => Promise<LogEntry>): Promise<LogEntry> {
    const entry = await this.#noting(write).catch(async (error: unknown) => {
      if (kind !== "gap" || !isDiskFull(error) || !(await this.#reserve?.release())) throw error;
      return write();
    });
    for (const reader of this.#readers) reader.add({ lane: kind, entry });
    for (const listener of this.#listeners) listener();
    return entry;
  }

  async #noting(write: () => Promise<LogEntry>): Promise<LogEntry> {
    try {
      const entry = await write();
      this.#disk = "ok";
      this.#refused = false;
      return entry;
    } catch (error) {
      if (isFault(error)) this.#noteFault(error);
      throw error;
    }
  }

  #noteFault(error: Error): void {
    this.#counts.writeFailures += 1;
    this.#disk = isDiskFull(error) ? "full" : "failing";
    this.#refused ||= this.#disk === "full";
  }

  /** The bytes of an entry that goes out now. */
  async #take({ lane, entry }: LaneEntry): Promise<Uint8Array | "later" | undefined> {
    const log = this.#logs[lane];
    // Gap records are never replaced, so nobody asks whether they were sent.
    const mayGo = lane === "gap" || (await log.markSent(entry, () => !this.#merging.has(entry)));
    if (!mayGo) return this.#isWaiting(lane, entry) ? "later" : undefined;
    return this.#read(lane, entry);
  }

  /** The bytes of an entry: one that the disk damaged since is a loss, one that it does not give now stays. */
  async #read(lane: BatchKind, entry: LogEntry): Promise<Uint8Array | "later" | undefined> {
    const log = this.#logs[lane];
    const bytes = await log.read(entry).catch(() => "later" as const);
    if (bytes || !this.#isWaiting(lane, entry)) return bytes;
    this.#losses.push(this.#lossOf(lane, lostOf([entry]), "spool_corrupt"));
    await log.forget([entry]);
    return undefined;
  }

  async #record(tools: SettleTools, loss: SpoolLoss): Promise<void> {
    await tools.record(loss);
    this.#counts.gaps += 1;
  }

  async #dropAged(tools: SettleTools): Promise<void> {
    const maxAgeMs = this.#options.maxAgeMs?.() ?? Number.POSITIVE_INFINITY;
    const before = this.#options.now() - maxAgeMs;
    const aged = [...this.#logs.sample.waiting.values()].filter(
      (entry) => (entry.untilMs ?? Number.POSITIVE_INFINITY) < before && !this.#merging.has(entry),
    );
    await this.#dropSamples(tools, aged, "spool_age");
  }

  async #dropSamples(tools: SettleTools, entries: readonly LogEntry[], reason: SpoolLoss["reason"]): Promise<void> {
    for (const all of Map.groupBy(entries, ({ spoolId }) => spoolId).values()) {
      // What the hub acknowledged while the losses before were recorded is none.
      const ofSpool = all.filter((entry) => this.#isWaiting("sample", entry));
      if (ofSpool.length === 0) continue;
      await this.#record(tools, this.#lossOf("sample", lostOf(ofSpool), reason));
      await this.#logs.sample.drop(ofSpool);
      this.#counts.dropped += ofSpool.length;
    }
  }

  /** A full disk must get room for what it refused; a full spool gets some more than it needs, so as not to do it each time. */
  async #keepBounds(tools: SettleTools): Promise<void> {
    const [bytes, most] = [this.#bytes(), this.#options.maxBytes()];
    const refused = this.#refused;
    if (bytes <= most && !refused) return;
    this.#refused = false;
    const spare = this.#reserve?.bytes ?? 0;
    const targetBytes = refused ? Math.min(most, bytes - Math.max(bytes / 8, Math.min(spare, bytes / 2))) : most * 0.9;
    if (refused) await this.#reserve?.release();
    await makeRoom({
      logs: this.#logs,
      bytes: () => this.#bytes(),
      targetBytes,
      mostBytes: refused ? targetBytes : most,
      // What is written before something is removed must fit into what was set aside.
      maxRunBytes: refused && spare > 0 ? spare : Number.POSITIVE_INFINITY,
      merger: tools.merger,
      append: (kind, make) => this.#write(kind, () => this.#logs[kind].append(make)),
      read: async (kind, entry) => {
        const bytes = await this.#read(kind, entry);
        return bytes === "later" ? undefined : bytes;
      },
      merging: this.#merging,
      tried: this.#tried,
      onCoarsened: (batches) => {
        this.#counts.coarsened += batches;
      },
      dropSamples: (entries) => this.#dropSamples(tools, entries, refused ? "disk_full" : "spool_full"),
    });
  }

  #lossOf(lane: BatchKind, lost: LostEntries, reason: SpoolLoss["reason"]): SpoolLoss {
    const endMs = lost.beforeMs ?? this.#options.now();
    return {
      reason,
      missing: lane,
      spoolId: lost.spoolId,
      first: lost.range.first,
      last: lost.range.last,
      batches: lost.batches,
      bytes: lost.bytes,
      openEnd: lost.openEnd,
      startMs: Math.min(lost.afterMs ?? endMs, endMs),
      endMs,
    };
  }
}

/** What a spool holds: a batch that stands for others holds the first of these. */
function stateOf(spoolId: string, entries: readonly LogEntry[]) {
  const firsts = entries.map(({ sequence, replaces }) => Math.min(sequence, replaces?.first ?? sequence));
  const lasts = entries.map(({ sequence }) => sequence);
  return {
    spoolId,
    firstSequence: BigInt(firsts.reduce((one, other) => Math.min(one, other))),
    lastSequence: BigInt(lasts.reduce((one, other) => Math.max(one, other))),
  };
}

/** A sealed batch as its log takes it. */
function appended({ bytes, sealedAtMs, untilMs = sealedAtMs }: Sealed) {
  return { bytes, head: { sealedAtMs, untilMs, replaces: null } };
}

/** Is it the disk's, not the sealer's? */
function isFault(error: unknown): error is Error {
  return error instanceof Error && "code" in error && !(error instanceof PlimsollError);
}

function unwritable(cause: unknown): PlimsollError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new PlimsollError("spool_unwritable", { reason }, { cause });
}
