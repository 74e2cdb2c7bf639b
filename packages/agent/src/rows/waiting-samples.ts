import type { GapRow, SampleRow } from "@plimsoll/contracts/wire";

/** Rows that are kept at most: about 3 MB. */
const MOST_ROWS = 20_000;

/** Samples that wait in memory for a disk that takes them, the oldest first. */
export class WaitingSamples {
  #rows: readonly SampleRow[] = [];

  get size(): number {
    return this.#rows.length;
  }

  /** Takes rows up; gives what had to go for them, the oldest. */
  add(rows: readonly SampleRow[], most = MOST_ROWS): readonly SampleRow[] {
    const all = [...this.#rows, ...rows];
    const over = Math.max(0, all.length - most);
    this.#rows = all.slice(over);
    return all.slice(0, over);
  }

  /** All of them, to be spooled; they stay until `clear`. */
  rows(): readonly SampleRow[] {
    return this.#rows;
  }

  clear(): void {
    this.#rows = [];
  }
}

/** Samples that were never spooled, as the hub is told of it. */
export function droppedSamples(rows: readonly SampleRow[], nowMs: number): GapRow {
  const startMs = Math.min(...rows.map(({ windowStartMs }) => windowStartMs));
  const endMs = Math.max(...rows.map(({ windowStartMs, windowMs }) => windowStartMs + windowMs));
  return {
    startMs,
    endMs,
    asOfMs: Math.max(nowMs, endMs),
    reason: "disk_full",
    missing: "sample",
    subject: null,
    detail: `The disk took nothing: ${rows.length} samples were dropped before they were spooled`,
    lostBatches: 0,
    lostRows: rows.length,
    lostBytes: 0,
    lostSequences: null,
  };
}
