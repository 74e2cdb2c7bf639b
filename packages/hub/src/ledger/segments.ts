import type { SegmentKind } from "../store/tables-ledger.ts";

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
  /** 0 = written by ingest or pricing; n + 1 = merged from files of n. */
  readonly generation: number;
  /** Whose rows it holds, with the revision (cost only, else 0). */
  readonly clusters: ReadonlyMap<string, number>;
}

/** What is wrong with a file that the ledger names, or a file beside them. */
export interface SegmentFault {
  readonly path: string;
  /** missing, damaged: left out of answers. orphan: no row names it; moved aside to `path`. */
  readonly fault: "missing" | "damaged" | "orphan";
  readonly detail: string;
}
