import { PlimsollError } from "@plimsoll/contracts";

/** Rows of a batch at most; a batch of the largest clusters stays far below the wire's limits. */
const ROWS_PER_BATCH = 10_000;

/**
 * Gives rows to `encode`, as many at once as it takes: what is too large is halved, and a single row that it refuses goes to
 * `refused`, so that one bad row keeps no other back. Anything but a `PlimsollError` of a batch is thrown on.
 */
export async function encodeInParts<R>(
  rows: readonly R[],
  encode: (part: readonly R[]) => Promise<void> | void,
  refused: (row: R, error: PlimsollError) => void,
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_PER_BATCH) await encodePart(rows.slice(at, at + ROWS_PER_BATCH));

  async function encodePart(part: readonly R[]): Promise<void> {
    try {
      await encode(part);
    } catch (error) {
      if (!(error instanceof PlimsollError) || !error.code.startsWith("batch_")) throw error;
      const [only] = part;
      if (part.length === 1 && only !== undefined) return refused(only, error);
      const half = Math.ceil(part.length / 2);
      await encodePart(part.slice(0, half));
      await encodePart(part.slice(half));
    }
  }
}
