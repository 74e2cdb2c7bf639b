/** What a sample is about. `node`: one node; `namespace`: one namespace; `cluster`: its schedulable nodes together. */
export const SAMPLE_SCOPES = ["node", "namespace", "cluster"] as const;
export type SampleScope = (typeof SAMPLE_SCOPES)[number];

/**
 * One window of one subject and resource. Key: (scope, subject, resource, windowStartMs). Quantities are whole wire units
 * (`wireUnitOf`: nanocores, bytes, nanocounts), from 0 to 2^53 - 1; null = unknown, which is neither zero nor idle.
 * Minimum ≤ average ≤ maximum.
 */
export interface SampleRow {
  readonly scope: SampleScope;
  /** Node UID, namespace name, or "" for the cluster. */
  readonly subject: string;
  readonly resource: string;
  /** Milliseconds since 1970 UTC, by hub time, a multiple of the window's length. */
  readonly windowStartMs: number;
  /** Length; 300,000 unless the spool was full and windows were merged. At most a day. */
  readonly windowMs: number;
  /** Requested by pods at the end of the window. */
  readonly requested: number | null;
  /** Working set for memory. The three are null together, exactly when `readings` is 0. */
  readonly usedMin: number | null;
  readonly usedAvg: number | null;
  readonly usedMax: number | null;
  /** Readings of the window that the used figures stand on. */
  readonly readings: number;
}

/** Rows of one scope and resource as columns of equal length: what a fact store takes, without an object per row. */
export interface SampleColumns {
  readonly scope: SampleScope;
  readonly resource: string;
  readonly rows: number;
  /** Subjects of the batch, each once, and maybe others; `subjectIndex` says for each row which is its own. */
  readonly subjects: readonly string[];
  readonly subjectIndex: Float64Array;
  readonly windowStartMs: Float64Array;
  readonly windowMs: Float64Array;
  /** 1 where `requested` is known. */
  readonly requestedKnown: Float64Array;
  readonly requested: Float64Array;
  /** 0 where used is unknown. */
  readonly readings: Float64Array;
  readonly usedMin: Float64Array;
  readonly usedAvg: Float64Array;
  readonly usedMax: Float64Array;
}
