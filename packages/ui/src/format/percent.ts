/** What stands where nothing is known. Never 0. */
export const UNKNOWN = "–";

/**
 * `part` of `whole` in percent, cut to a whole number, so that a shown 90 is never below the 90 % line. Both are whole
 * numbers as decimal digits, of any size. `null` when either is unknown or there is no whole.
 */
export function percentOf(part: string | null | undefined, whole: string | null | undefined): number | null {
  if (part == null || whole == null || BigInt(whole) <= 0n) return null;
  return Number((BigInt(part) * 100n) / BigInt(whole));
}

/** `62` → `"62%"`, unknown → `"–"`, more than nothing but less than one → `"<1%"`. */
export function formatPercent(part: string | null | undefined, whole: string | null | undefined): string {
  const percent = percentOf(part, whole);
  if (percent === null) return UNKNOWN;
  return percent === 0 && part != null && BigInt(part) > 0n ? "<1%" : `${percent}%`;
}
