import type { BatchKey, BatchKind, SequenceRange, SpoolMark } from "@plimsoll/contracts/wire";
import type { SegmentKind } from "../store/tables-ledger.ts";

/** A batch as the ledger judges it. */
export interface LedgerEntry {
  readonly key: BatchKey;
  /** Of the batch message, hex. */
  readonly sha256: string;
  /** Null = unknown to this release; only for quarantined ones. */
  readonly kind: BatchKind | null;
  readonly rows: number;
  readonly sealedAtMs: number;
  readonly receivedAtMs: number;
  /** Batches of the same spool that this one stands for. */
  readonly replaces: SequenceRange | null;
}

/**
 * applied: new, its rows count from now on. duplicate: was delivered before with the same content, or another stands for
 * it: acknowledge. conflict: another content under the same key: quarantine. superseded: it replaces batches of which some
 * had been applied: acknowledged, not counted.
 */
export type LedgerVerdict = "applied" | "duplicate" | "conflict" | "superseded";

/** A segment file: durable when it is handed to the ledger, part of answers once the ledger names it. */
export interface SegmentInfo {
  readonly id: string;
  readonly kind: SegmentKind;
  /** Start of the UTC hour that all of its rows belong to. */
  readonly hourStartMs: number;
  /** Relative to the data directory. */
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  /** Of the file, hex. */
  readonly sha256: string;
  readonly generation: number;
  /** Whose rows it holds, with the revision (cost only, else 0). */
  readonly clusters: ReadonlyMap<string, number>;
}

/** Clusters and hours whose facts changed, to be priced. */
export interface TouchedHour {
  readonly clusterId: string;
  readonly hourStartMs: number;
}

/** What one commit brings. */
export interface LedgerCommit {
  readonly entries: readonly LedgerEntry[];
  readonly segments: readonly SegmentInfo[];
  readonly touched: readonly TouchedHour[];
}

/** What is wrong with the files that the ledger names, and what lies beside them. */
export interface SegmentFault {
  readonly path: string;
  readonly fault: "missing" | "damaged" | "orphan";
  readonly detail: string;
}

/** The ledger of batches: each counts once, whatever the order and number of its arrivals. One writer at a time. */
export interface Ledger {
  /** What would happen to each entry, in this order (an entry may repeat one before it). Changes nothing. */
  judge(entries: readonly LedgerEntry[]): Promise<readonly LedgerVerdict[]>;
  /**
   * Registers entries, marks, segments and touched hours in one durable commit. Entries must have been judged `applied` or
   * `superseded`; throws `ledger_moved` when another writer was there in between: judge again.
   */
  commit(commit: LedgerCommit): Promise<void>;
  /** Registers a batch whose rows do not count, so that its sequence leaves no hole. A key that is known stays as it is. */
  quarantined(entry: LedgerEntry): Promise<void>;
  /** What is durable of a spool; `contiguous` 0 when it is new. */
  mark(clusterId: string, incarnation: number, spoolId: string): Promise<SpoolMark>;
}
