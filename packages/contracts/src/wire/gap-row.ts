/** Reasons that this release writes. The column takes any word of `[a-z0-9_]`, so that a later one passes an older hub. */
export const GAP_REASONS = [
  "agent_down",
  "watch_lost",
  "usage_unavailable",
  "access_denied",
  "clock_jump",
  "spool_full",
  "spool_age",
  "spool_lost",
  "spool_corrupt",
  "disk_full",
  "quarantined",
  // Found by the hub: a file of it was missing or damaged; it was restored from a backup; batches can come no more.
  "segment_lost",
  "hub_restored",
  "batches_lost",
] as const;

/**
 * Facts that are missing, and why: coverage of that time is below 1. Key: (startMs, reason, missing, subject, spoolId);
 * an open gap is sent again, the greatest `asOfMs` wins. Points of time are milliseconds since 1970 UTC by hub time.
 */
export interface GapRow {
  readonly startMs: number;
  /** Null while the gap is open. */
  readonly endMs: number | null;
  readonly asOfMs: number;
  /** A word of `[a-z0-9_]`, at most 64 letters: one of `GAP_REASONS`, or one of a later release. */
  readonly reason: string;
  /** The kind of batch that is missing (`usage`, `node`, `sample` …); null = everything. */
  readonly missing: string | null;
  /** Whose facts are missing (a namespace, a resource); null = the whole cluster's. */
  readonly subject: string | null;
  /** For people: what happened, in a sentence. */
  readonly detail: string | null;
  /** What is known of the size of it; 0 where nothing had been made yet. Whole numbers. */
  readonly lostBatches: number;
  readonly lostRows: number;
  readonly lostBytes: number;
  /** The lost batches, where they had a sequence: first and last of this spool, inclusive. */
  readonly lostSequences: { readonly spoolId: string; readonly first: number; readonly last: number } | null;
}
