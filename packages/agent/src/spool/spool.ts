import { PlimsollError } from "@plimsoll/contracts";
import type { BatchKind, SpoolMark, SpoolState } from "@plimsoll/contracts/wire";
import type { SpoolStatus } from "../agent.ts";
import type { KeepDamage, LostEntries } from "./recover-segments.ts";
import { type LogEntry, type OpenedLog, openLog } from "./segment-log.ts";
import type { SpoolFiles } from "./spool-files.ts";

/** What waits for its acknowledgement. */
export interface SpooledBatch {
  readonly spoolId: string;
  readonly sequence: number;
  /** The serialized envelope, as it was sealed. */
  readonly bytes: Uint8Array;
}

/** Facts that were spooled, or about to be, and never reach the hub. */
export interface SpoolLoss {
  readonly reason: "spool_corrupt" | "spool_full";
  /** Kind of the lost batches; null = usage, nodes or gaps. */
  readonly missing: BatchKind | null;
  readonly spoolId: string;
  readonly first: number;
  readonly last: number;
  readonly batches: number;
  readonly bytes: number;
  /** More may have followed the last: the end of the log was damaged. */
  readonly openEnd: boolean;
  /** Milliseconds since 1970 UTC; the lost batches were sealed between the two. */
  readonly startMs: number;
  readonly endMs: number;
}

/** A sealed batch on its way into the spool. */
interface Sealed {
  readonly bytes: Uint8Array;
  readonly sealedAtMs: number;
}

/** Samples may be dropped when the spool is full, all else may not: each has its own log, spool id and sequence. */
const LANES = ["facts", "samples"] as const;
type Lane = (typeof LANES)[number];

export interface SpoolOptions {
  readonly files: Readonly<Record<Lane, SpoolFiles>>;
  /** All segments together; beyond it the oldest samples are dropped. Asked for each time: a policy may change it. */
  readonly maxBytes: () => number;
  /** A segment is followed by a new one at this size (default: what keeps a full spool at 64 segments, at most 4 MiB). */
  readonly segmentBytes?: number;
  /** Milliseconds since 1970 UTC, for new spool ids and the ends of losses. */
  readonly now: () => number;
  readonly sealedAtOf: (envelope: Uint8Array) => number | null;
  readonly keepDamage: KeepDamage;
}

/**
 * The agent's queue on disk. A batch is spooled once `append` resolves, and stays until it is acknowledged; usage is never
 * dropped for want of room. What is lost all the same is told to `settleLosses`, once.
 */
export interface Spool {
  /** Seals and appends one batch of a kind. Throws `spool_unwritable`: nothing was spooled, the sequence is not used. */
  append(kind: BatchKind, seal: (spoolId: string, sequence: number) => Sealed): Promise<void>;
  /** A reader of everything that waits, facts before samples, oldest first; one for each connection. */
  reader(): SpoolReader;
  /** What is durable at the hub goes. Marks of spools that are not ours are ignored. */
  acknowledge(mark: SpoolMark): Promise<void>;
  /** One batch will never be taken: it goes. */
  forget(batch: Pick<SpooledBatch, "spoolId" | "sequence">): Promise<void>;
  /** Records each loss by `record`; what is lost for want of room is dropped only after that. */
  settleLosses(record: (loss: SpoolLoss) => Promise<void>): Promise<void>;
  /** What is held, by spool id. */
  states(): readonly Pick<SpoolState, "spoolId" | "firstSequence" | "lastSequence">[];
  figures(): Omit<SpoolStatus, "quarantined">;
  /** Called whenever something was appended. */
  onAppend(listener: () => void): void;
  close(): Promise<void>;
}

export interface SpoolReader {
  /** The next batch that it has not given yet; undefined = none waits now. */
  next(): Promise<SpooledBatch | undefined>;
}

/** Opens the spool in its two folders. Rejects with `spool_unwritable` when they cannot be read or written. */
export async function openSpool(options: SpoolOptions): Promise<Spool> {
  const open = (lane: Lane): Promise<OpenedLog> => openLog({ ...options, files: options.files[lane], segmentBytes });
  const segmentBytes = options.segmentBytes ?? Math.min(4 * 1024 * 1024, Math.ceil(options.maxBytes() / 64));
  try {
    return new DiskSpool(options, { facts: await open("facts"), samples: await open("samples") });
  } catch (error) {
    throw unwritable(error);
  }
}

class DiskSpool implements Spool {
  readonly #options: SpoolOptions;
  readonly #logs: Readonly<Record<Lane, OpenedLog>>;
  readonly #listeners: (() => void)[] = [];
  #losses: SpoolLoss[];
  #untidy = true;
  #gaps = 0;

  constructor(options: SpoolOptions, logs: Readonly<Record<Lane, OpenedLog>>) {
    this.#options = options;
    this.#logs = logs;
    this.#losses = LANES.flatMap((lane) => logs[lane].losses.map((lost) => this.#lossOf(lane, lost)));
  }

  async append(kind: BatchKind, seal: (spoolId: string, sequence: number) => Sealed): Promise<void> {
    const { log } = this.#logs[kind === "sample" ? "samples" : "facts"];
    let sealing: { readonly failed: unknown } | undefined;
    try {
      let sealedAtMs = 0;
      await log.append(
        (spoolId, sequence) => {
          try {
            const sealed = seal(spoolId, sequence);
            sealedAtMs = sealed.sealedAtMs;
            return sealed.bytes;
          } catch (failed) {
            sealing = { failed };
            throw failed;
          }
        },
        () => sealedAtMs,
      );
    } catch (error) {
      throw sealing ? sealing.failed : unwritable(error);
    }
    for (const listener of this.#listeners) listener();
  }

  reader(): SpoolReader {
    const given = new WeakSet<LogEntry>();
    return {
      next: async () => {
        for (;;) {
          const found = this.#firstWaiting(given);
          if (!found) return undefined;
          given.add(found.entry);
          const bytes = await this.#read(found.lane, found.entry);
          if (bytes) return { spoolId: found.entry.spoolId, sequence: found.entry.sequence, bytes };
        }
      },
    };
  }

  async acknowledge(mark: SpoolMark): Promise<void> {
    for (const lane of LANES) await this.#logs[lane].log.acknowledge(mark);
  }

  async forget({ spoolId, sequence }: Pick<SpooledBatch, "spoolId" | "sequence">): Promise<void> {
    for (const lane of LANES) {
      const { log } = this.#logs[lane];
      const entry = log.find(spoolId, sequence);
      if (entry) await log.forget(entry);
    }
  }

  async settleLosses(record: (loss: SpoolLoss) => Promise<void>): Promise<void> {
    while (this.#losses[0]) {
      await record(this.#losses[0]);
      this.#losses.shift();
      this.#gaps += 1;
    }
    if (this.#untidy) for (const lane of LANES) await this.#logs[lane].tidy();
    this.#untidy = false;
    await this.#dropExcess(record);
  }

  states(): readonly Pick<SpoolState, "spoolId" | "firstSequence" | "lastSequence">[] {
    const waiting = LANES.flatMap((lane) => [...this.#logs[lane].log.waiting.values()]);
    return [...Map.groupBy(waiting, ({ spoolId }) => spoolId)].map(([spoolId, entries]) => ({
      spoolId,
      firstSequence: BigInt(entries[0]?.sequence ?? 0),
      lastSequence: BigInt(entries.at(-1)?.sequence ?? 0),
    }));
  }

  figures(): Omit<SpoolStatus, "quarantined"> {
    const logs = LANES.map((lane) => this.#logs[lane].log);
    const oldest = logs
      .flatMap((log) => [...log.waiting.values()].slice(0, 1))
      .flatMap(({ sealedAtMs }) => sealedAtMs ?? []);
    return {
      spoolId: this.#logs.facts.log.spoolId,
      batches: logs.reduce((sum, log) => sum + log.waiting.size, 0),
      bytes: logs.reduce((sum, log) => sum + log.bytes, 0),
      oldestSealedMs: oldest.length === 0 ? null : Math.min(...oldest),
      gaps: this.#gaps,
    };
  }

  onAppend(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    for (const lane of LANES) await this.#logs[lane].log.close();
  }

  #firstWaiting(given: WeakSet<LogEntry>): { readonly lane: Lane; readonly entry: LogEntry } | undefined {
    for (const lane of LANES) {
      for (const entry of this.#logs[lane].log.waiting.values()) if (!given.has(entry)) return { lane, entry };
    }
    return undefined;
  }

  /** The bytes of an entry; one that the disk damaged since is a loss. */
  async #read(lane: Lane, entry: LogEntry): Promise<Uint8Array | undefined> {
    const { log } = this.#logs[lane];
    const bytes = await log.read(entry).catch(() => undefined);
    if (bytes || !log.find(entry.spoolId, entry.sequence)) return bytes;
    this.#losses.push(this.#lossOf(lane, lostOf([entry])));
    await log.forget(entry);
    return undefined;
  }

  async #dropExcess(record: (loss: SpoolLoss) => Promise<void>): Promise<void> {
    const { log } = this.#logs.samples;
    for (;;) {
      const excess = this.figures().bytes > this.#options.maxBytes() ? log.oldest() : [];
      if (excess.length === 0) return;
      await record({ ...this.#lossOf("samples", lostOf(excess)), reason: "spool_full" });
      this.#gaps += 1;
      await log.drop(excess);
    }
  }

  #lossOf(lane: Lane, lost: LostEntries): SpoolLoss {
    const endMs = lost.beforeMs ?? this.#options.now();
    return {
      reason: "spool_corrupt",
      missing: lane === "samples" ? "sample" : null,
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

/** Entries of one spool, oldest first, as a loss. */
function lostOf(entries: readonly LogEntry[]): LostEntries {
  const [first, last] = [entries[0], entries.at(-1)];
  return {
    spoolId: first?.spoolId ?? "",
    range: { first: first?.sequence ?? 0, last: last?.sequence ?? 0 },
    batches: entries.length,
    bytes: entries.reduce((sum, { length }) => sum + length, 0),
    openEnd: false,
    afterMs: first?.sealedAtMs ?? null,
    beforeMs: last?.sealedAtMs ?? null,
  };
}

function unwritable(cause: unknown): PlimsollError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new PlimsollError("spool_unwritable", { reason }, { cause });
}
