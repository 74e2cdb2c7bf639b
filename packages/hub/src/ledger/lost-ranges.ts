import type { SequenceRange } from "@plimsoll/contracts/wire";
import { heldRanges, type Mark } from "./sequence-marks.ts";

/** The sequences that are missing below the greatest that came: holes between what is durable. */
function holesOf({ contiguous, ranges }: Mark): readonly SequenceRange[] {
  return ranges.map(({ first }, index) => ({
    first: (ranges[index - 1]?.last ?? contiguous) + 1,
    last: first - 1,
  }));
}

/** The greatest sequence that came; 0 = none did. */
export function greatestOf(mark: Mark): number {
  return heldRanges(mark).at(-1)?.last ?? 0;
}

/** Those of the holes that can never be filled when the sender holds nothing below `floor`. */
export function lostBelow(mark: Mark, floor: number): readonly SequenceRange[] {
  return holesOf(mark)
    .map(({ first, last }) => ({ first, last: Math.min(last, floor - 1) }))
    .filter(({ first, last }) => first <= last);
}
