import type { BatchKind, SequenceRange, SpoolMark, SpoolState } from "@plimsoll/contracts/wire";
import type { SpoolStatus } from "../agent.ts";
import type { KeepDamage, ReadHead } from "./recover-segments.ts";
import type { SpoolFiles } from "./spool-files.ts";

/**
 * Each kind has a log of its own, and so its spool id and sequence: a batch can only stand for batches of its kind, and those
 * must follow each other. In the order in which they go out: what tells of losses first, samples last.
 */
export const LANES = ["gap", "usage", "node", "sample"] as const satisfies readonly BatchKind[];

/** What waits for its acknowledgement. */
export interface SpooledBatch {
  readonly spoolId: string;
  readonly sequence: number;
  /** The serialized envelope, as it was sealed. */
  readonly bytes: Uint8Array;
}

/** Facts that were spooled, or about to be, and never reach the hub. */
export interface SpoolLoss {
  /** `spool_corrupt`: damaged; the others were dropped, as the spool or its disk was full, or they were too old. */
  readonly reason: "spool_corrupt" | "spool_full" | "disk_full" | "spool_age";
  /** Kind of the lost batches. */
  readonly missing: BatchKind;
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
export interface Sealed {
  readonly bytes: Uint8Array;
  readonly sealedAtMs: number;
  /** Up to when its facts run, where that is known to be another time. */
  readonly untilMs?: number;
}

/** Makes one batch of several of one kind. */
export interface BatchMerger {
  /** Takes an envelope up, in order of sequence. False = it does not go with those before: the run ends before it. */
  add(envelope: Uint8Array): boolean;
  /** The one batch; null = it cannot be made, or would be too large for an envelope. */
  seal(spoolId: string, sequence: number, replaces: SequenceRange): Sealed | null;
}

/** What settling needs of whoever knows the rows. */
export interface SettleTools {
  /** Makes a loss durable. Only after it is something dropped. */
  readonly record: (loss: SpoolLoss) => Promise<void>;
  /** A new merger of a kind; undefined = batches of this kind are never merged. */
  readonly merger: (kind: BatchKind) => BatchMerger | undefined;
}

export interface SpoolOptions {
  readonly files: Readonly<Record<BatchKind, SpoolFiles>>;
  /** Where the reserve of a full disk lies, and its bytes; without it a full disk keeps gap records waiting in memory. */
  readonly reserve?: { readonly files: SpoolFiles; readonly bytes: number };
  /** All segments together; beyond it batches are coarsened, then samples dropped. Asked for each time: a policy may change it. */
  readonly maxBytes: () => number;
  /** Samples that were sealed longer ago are dropped, milliseconds (default: never). */
  readonly maxAgeMs?: () => number;
  /** A segment is followed by a new one at this size (default: what keeps a full spool at 64 segments, at most 4 MiB). */
  readonly segmentBytes?: number;
  /** Milliseconds since 1970 UTC, for new spool ids, ages and the ends of losses. */
  readonly now: () => number;
  readonly readHead: ReadHead;
  readonly keepDamage: KeepDamage;
  /** Hears how long each sync took, seconds. */
  readonly onSync?: (seconds: number) => void;
}

/** What a spool holds, and what befell it since the start. */
export type SpoolFigures = Omit<SpoolStatus, "quarantined">;

/**
 * The agent's queue on disk. A batch is spooled once `append` resolves, and stays until it is acknowledged; usage, nodes and
 * gaps are never dropped for want of room or for their age. What is lost all the same is told to `settle`, once.
 */
export interface Spool {
  /** Seals and appends one batch of a kind. Throws `spool_unwritable`: nothing was spooled, the sequence is not used. */
  append(kind: BatchKind, seal: (spoolId: string, sequence: number) => Sealed): Promise<void>;
  /** A reader of everything that waits; one for each connection. */
  reader(): SpoolReader;
  /** What is durable at the hub goes. Marks of spools that are not ours are ignored. Never rejects for the disk. */
  acknowledge(mark: SpoolMark): Promise<void>;
  /** One batch will never be taken: it goes. */
  forget(batch: Pick<SpooledBatch, "spoolId" | "sequence">): Promise<void>;
  /**
   * Records each loss, then keeps the bounds: what is too old goes, and where there is too much, batches that were never sent
   * are merged; only then the oldest samples are dropped. One call at a time. Rejects when the disk does not take it.
   */
  settle(tools: SettleTools): Promise<void>;
  /**
   * What is held, by spool id, with what the held ones stand for. Of a spool that is written to and holds nothing: the next
   * sequence, and the one before it as the last.
   */
  states(): readonly Pick<SpoolState, "spoolId" | "firstSequence" | "lastSequence">[];
  figures(): SpoolFigures;
  /** Called whenever something was appended. */
  onAppend(listener: () => void): void;
  close(): Promise<void>;
}

/** What a reader is asked for. */
export interface NextOptions {
  /** A larger envelope is not given now. */
  readonly maxBytes?: number;
  /** Only what was spooled since the reader began. */
  readonly liveOnly?: boolean;
}

/** A batch as a reader gives it. */
export interface ReadBatch extends SpooledBatch {
  /** Spooled since the reader began; the others are back-fill. */
  readonly live: boolean;
}

/**
 * Gives everything that waits, each once: what is spooled from now on first, the newest first, and behind it what waited
 * before, the oldest first. Neither starves the other.
 */
export interface SpoolReader {
  /** The next batch; undefined = none that may go now. */
  next(options?: NextOptions): Promise<ReadBatch | undefined>;
  /** It is needed no more. */
  close(): void;
}
