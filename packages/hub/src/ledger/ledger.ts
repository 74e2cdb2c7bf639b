import type { BatchKey, BatchKind, SequenceRange, SpoolMark } from "@plimsoll/contracts/wire";
import type { Store } from "../store/store.ts";
import type { Written } from "../warehouse/warehouse-port.ts";
import { commitEntries } from "./commit-entries.ts";
import { judgeEntries } from "./judge-entries.ts";
import { registerQuarantined } from "./register-quarantined.ts";
import { readMark } from "./spool-state.ts";

/** A spool of a cluster: what sequences count within. */
export type SpoolKey = Omit<BatchKey, "sequence">;

/** Each of them is looked at, so a batch that says it stands for more is refused before it gets here. */
export const MAX_REPLACED = 10_000;

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
  /** Batches of the same spool that this one stands for; at most `MAX_REPLACED`. */
  readonly replaces: SequenceRange | null;
}

/**
 * applied: new, its rows count from now on. duplicate: was delivered before with the same content, or another stands for
 * it: acknowledge. conflict: another content under the same key: quarantine. superseded: it replaces batches of which some
 * had been applied: acknowledged, not counted.
 */
export type LedgerVerdict = "applied" | "duplicate" | "conflict" | "superseded";

/** An entry with its verdict. */
export interface JudgedEntry {
  readonly entry: LedgerEntry;
  readonly verdict: LedgerVerdict;
}

/** Clusters and hours whose facts changed, to be priced. */
export interface TouchedHour {
  readonly clusterId: string;
  readonly hourStartMs: number;
}

/** A span of time in which facts of a cluster are missing. */
export interface GappedTime {
  readonly clusterId: string;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

/** What one commit brings. */
export interface LedgerCommit {
  /** Those judged `duplicate` or `conflict` change nothing. */
  readonly entries: readonly JudgedEntry[];
  /** Rows that count from now on. Null = none. */
  readonly written: Written | null;
  readonly touched: readonly TouchedHour[];
  readonly gapped: readonly GappedTime[];
  readonly nowMs: number;
}

/** The ledger of batches: each counts once, whatever the order and number of its arrivals. One writer at a time. */
export interface Ledger {
  /**
   * What would happen to each entry, in this order (an entry may repeat one before it). Changes nothing. Only batches that
   * could be read are judged, so one that is in the quarantine with the same content counts now: the hub has learnt to read
   * it, or only a copy of it was damaged.
   */
  judge(entries: readonly LedgerEntry[]): Promise<readonly LedgerVerdict[]>;
  /**
   * Registers entries, marks, rows and touched hours in one durable commit. Throws `ledger_moved` when another writer
   * registered one of the entries since they were judged: judge again.
   */
  commit(commit: LedgerCommit): Promise<void>;
  /** Registers a batch whose rows do not count, so that its sequence leaves no hole. A key that is known stays as it is. */
  registerQuarantined(entry: LedgerEntry): Promise<void>;
  /** What its sender need not keep of a spool: what is durable, and what was given up as lost; `contiguous` 0 when it is new. */
  mark(spool: SpoolKey): Promise<SpoolMark>;
  /**
   * Forgets the rows of batches that were received before, but for those in the quarantine; a repeat of one is a duplicate by
   * its mark. Returns how many.
   */
  prune(beforeMs: number): Promise<number>;
  /** Forgets the prices of hours that start before: their rows are about to go. Returns how many. */
  forgetPrices(beforeMs: number): Promise<number>;
}

/** The ledger in the control store. */
export function openLedger(store: Store): Ledger {
  return {
    judge: (entries) => judgeEntries(store.db, entries),
    commit: (commit) => store.write((trx) => commitEntries(trx, commit)),
    registerQuarantined: (entry) => store.write((trx) => registerQuarantined(trx, entry)),
    prune: async (beforeMs) => {
      // What is in the quarantine counts as missing, and can be replayed, for as long as it is there.
      const old = store.db
        .deleteFrom("ledger_batches")
        .where("received_at_ms", "<", beforeMs)
        .where("state", "!=", "quarantined");
      return Number((await old.executeTakeFirst()).numDeletedRows);
    },
    forgetPrices: async (beforeMs) => {
      const old = store.db.deleteFrom("cost_hours").where("hour_start_ms", "<", beforeMs);
      return Number((await old.executeTakeFirst()).numDeletedRows);
    },
    mark: async (spool) => ({ spoolId: spool.spoolId, ...(await readMark(store.db, spool)) }),
  };
}
