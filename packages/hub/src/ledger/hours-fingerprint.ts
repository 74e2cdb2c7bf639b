const HOUR_MS = 3_600_000;
const HOURS_OF_A_DAY = 24;
/** A sum of revisions stays far below it. */
const SHIFT = 2 ** HOURS_OF_A_DAY;

/**
 * One number for some hours of a UTC day and the revisions of their prices. Revisions only grow, so equal numbers at two
 * times mean the same hours with the same revisions.
 */
export function hoursFingerprint(
  hours: readonly { readonly hourStartMs: number; readonly revision: number }[],
): number {
  let mask = 0;
  let revisions = 0;
  for (const { hourStartMs, revision } of hours) {
    mask |= 1 << ((hourStartMs / HOUR_MS) % HOURS_OF_A_DAY);
    revisions += revision;
  }
  return mask * SHIFT + revisions;
}
