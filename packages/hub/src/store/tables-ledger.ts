import type { Generated } from "kysely";
import type { JsonText, Millis } from "./tables.ts";

/** Kinds of fact segments: those of batches, priced rows by the hour, and their sums by the day. */
export type SegmentKind = "sample" | "usage" | "node" | "gap" | "cost" | "cost_day";

/** One batch that was delivered. Primary key: (cluster, incarnation, spool, sequence). */
export interface LedgerBatchesTable {
  cluster_id: string;
  incarnation: number;
  spool_id: string;
  sequence: number;
  /** Of the batch message, hex. */
  sha256: string;
  /** Null = a kind that this release does not know. */
  kind: Exclude<SegmentKind, "cost" | "cost_day"> | null;
  rows: number;
  /**
   * applied: its rows count. quarantined: they do not, the bytes are kept. superseded: it said that it replaces batches of
   * which some had been applied. A batch that another one stands for has no row, only its place in the mark.
   */
  state: "applied" | "quarantined" | "superseded";
  sealed_at_ms: Millis;
  received_at_ms: Millis;
}

/** What is durable of a spool. Primary key: (cluster, incarnation, spool). */
export interface LedgerMarksTable {
  cluster_id: string;
  incarnation: number;
  spool_id: string;
  /** Every sequence up to it; 0 = none. */
  contiguous: number;
  /** `[[first, last], …]` above it, ascending. */
  ranges: JsonText;
  /** Those of them (`[[first, last], …]`, ascending) that never came and were given up: what comes of them late still counts. */
  lost: Generated<JsonText>;
  updated_at_ms: Millis;
}

/** One Parquet file that answers may be made of: rows of one kind and of hours of one UTC day, of one or many clusters. */
export interface SegmentsTable {
  id: string;
  kind: SegmentKind;
  /** Of the first hour. */
  hour_start_ms: Millis;
  /** End of the last hour, exclusive; of gaps, up to where they reach or were last heard of. */
  end_ms: Millis;
  /** Relative to the data directory. */
  path: string;
  rows: number;
  bytes: number;
  /** Of the file, hex. */
  sha256: string;
  /** 0 = written by ingest or pricing; n + 1 = merged from files of n. */
  generation: number;
  /** broken: missing or damaged; left out of answers and said so. */
  state: "live" | "broken";
  created_at_ms: Millis;
}

/** Whose facts a segment holds. Primary key: (segment, cluster). */
export interface SegmentClustersTable {
  segment_id: string;
  cluster_id: string;
  /**
   * For cost of one hour: the revision of that cluster's hour in this segment; for sums of a day: the fingerprint of its hours
   * and revisions; else 0.
   */
  revision: number;
}

/** Files that no segment row names any more; they are deleted some minutes later. */
export interface SegmentGarbageTable {
  path: string;
  removed_at_ms: Millis;
}

/** What could not be applied, kept as it came, visible and replayable. */
export interface QuarantineTable {
  id: Generated<number>;
  /** As the sender was authenticated or, failing that, as the envelope says; null = neither. */
  cluster_id: string | null;
  /** Null when the envelope could not be read that far. */
  incarnation: number | null;
  spool_id: string | null;
  sequence: number | null;
  /** Of the error table. */
  code: string;
  message: string;
  /** Channel and peer it came by. */
  source: string;
  /** The envelope; null when the cluster's share of the quarantine was full. */
  bytes: Uint8Array | null;
  byte_count: number;
  /** Of the envelope's bytes, hex: the same again only raises `times`. */
  sha256: string;
  times: number;
  first_at_ms: Millis;
  last_at_ms: Millis;
  replayed_at_ms: Millis | null;
}

/** Ledger of batches and segments. */
export interface LedgerTables {
  ledger_batches: LedgerBatchesTable;
  ledger_marks: LedgerMarksTable;
  segments: SegmentsTable;
  segment_clusters: SegmentClustersTable;
  segment_garbage: SegmentGarbageTable;
  quarantine: QuarantineTable;
}
