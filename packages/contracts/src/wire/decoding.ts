import { PlimsollError } from "../errors.ts";
import { MAX_END_BEFORE_START_MS, type WireLimits } from "./limits.ts";
import { refuse, refuseAbove } from "./refuse.ts";

/** The state of reading one batch: its limits, and what of them is used up. */
export class Decoding {
  readonly limits: WireLimits;
  private cells = 0;
  private words = new Uint32Array(0);

  constructor(limits: WireLimits) {
    this.limits = limits;
  }

  /** Books the cells of one more column before its memory is taken. Throws `batch_too_large`. */
  takeCells(rows: number): void {
    this.cells += rows;
    refuseAbove("cells", this.cells, this.limits.maxCells);
  }

  /** At least `length` words for the duration of one call: their content is of the call before, or 0. */
  scratch(length: number): Uint32Array {
    if (this.words.length < length) this.words = new Uint32Array(length);
    return this.words;
  }

  /** A point of time as given. Throws `batch_time_invalid` outside the limits (years 2000 to 2200 by default). */
  time(ms: number, field: string): number {
    const { earliestMs, latestMs } = this.limits;
    if (ms >= earliestMs && ms <= latestMs) return ms;
    throw new PlimsollError("batch_time_invalid", {
      field,
      value: describeTime(ms),
      reason: "is outside 2000 to 2200",
    });
  }

  /** The end of something that starts at `startMs`; 0 = none yet. An end up to 5 s before the start becomes the start. */
  end(startMs: number, ms: number, field: string): { readonly endMs: number | null; readonly clamped: boolean } {
    if (ms === 0) return { endMs: null, clamped: false };
    const endMs = this.time(ms, field);
    if (endMs >= startMs) return { endMs, clamped: false };
    if (startMs - endMs <= MAX_END_BEFORE_START_MS) return { endMs: startMs, clamped: true };
    const reason = `is more than 5 s before its start ${describeTime(startMs)}`;
    throw new PlimsollError("batch_time_invalid", { field, value: describeTime(ms), reason });
  }
}

/** A 0/1 column's cell. */
export function flag(value: number | undefined): boolean {
  return value === 1;
}

/** The word of an enum column's cell; refused when this release does not know it. */
export function word<W extends string>(words: readonly W[], value: number, field: string): W {
  return words[value] ?? refuse(field, `${value} is not known to this release`);
}

function describeTime(ms: number): string {
  // Beyond what a Date holds (year 275,760) the number itself says enough.
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : String(ms);
}
