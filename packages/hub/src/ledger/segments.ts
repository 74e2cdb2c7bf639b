import type { SegmentKind } from "../store/tables-ledger.ts";

/** A segment file: durable when it is handed to the ledger, part of answers once the ledger names it. */
export interface SegmentInfo {
  readonly id: string;
  readonly kind: SegmentKind;
  /** Start of the first UTC hour of its rows, all of one day. */
  readonly hourStartMs: number;
  /** End of the last hour, exclusive; of gaps, up to where they reach or were last heard of. */
  readonly endMs: number;
  /** Relative to the data directory. */
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  /** Of the file, hex. */
  readonly sha256: string;
  /** 0 = written by ingest or pricing; n + 1 = merged from files of n. */
  readonly generation: number;
  /** Whose rows it holds; with the revision (cost of one hour), the fingerprint (sums of a day), or 0. */
  readonly clusters: ReadonlyMap<string, number>;
}
