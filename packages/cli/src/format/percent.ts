import { UNKNOWN } from "./unknown.ts";

/**
 * `part` of `whole` in percent, cut to a whole number (as `kubectl describe node` does), so that a shown 90 is never below
 * the 90 % line. `null` when either is unknown or there is no whole.
 */
export function percentOf(part: bigint | null | undefined, whole: bigint | null | undefined): number | null {
  if (part === null || part === undefined || whole === null || whole === undefined || whole === 0n) return null;
  return Number((part * 100n) / whole);
}

/** `62` → `"62%"`, unknown → `"–"`, more than nothing but less than one → `"<1%"`. */
export function formatPercent(part: bigint | null | undefined, whole: bigint | null | undefined): string {
  const percent = percentOf(part, whole);
  if (percent === null) return UNKNOWN;
  return percent === 0 && part !== 0n ? "<1%" : `${percent}%`;
}
