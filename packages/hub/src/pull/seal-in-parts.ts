import { PlimsollError } from "@plimsoll/contracts";

/** Rows of one batch at most. */
const ROWS_PER_BATCH = 10_000;

/**
 * Gives rows to `seal` in parts that it takes: one that is refused as too large or as bad is halved until a single row is
 * left, which goes to `refused`, so that one bad row keeps no other back.
 */
export function sealInParts<R>(
  rows: readonly R[],
  seal: (part: readonly R[]) => void,
  refused: (error: PlimsollError) => void,
): void {
  for (let at = 0; at < rows.length; at += ROWS_PER_BATCH) sealPart(rows.slice(at, at + ROWS_PER_BATCH));

  function sealPart(part: readonly R[]): void {
    try {
      seal(part);
    } catch (error) {
      if (!(error instanceof PlimsollError)) throw error;
      if (part.length === 1) {
        refused(error);
        return;
      }
      const half = Math.ceil(part.length / 2);
      sealPart(part.slice(0, half));
      sealPart(part.slice(half));
    }
  }
}
