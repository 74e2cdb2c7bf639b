import { formatMoney, parseMoney } from "@plimsoll/contracts";

/** Hours that a month is counted with, as price lists do. */
const HOURS_PER_MONTH = 730n;

/** An amount of an hour in a month of 730 hours, exact. A text that is no amount stays unknown (`null`). */
export function perMonth(hourly: string): string | null {
  const nanos = parseMoney(hourly);
  return nanos === undefined ? null : formatMoney(nanos * HOURS_PER_MONTH);
}

/** `part` of `whole` in percent, cut to a tenth, for bars and labels; `null` when there is no whole. */
export function sharePercent(part: string, whole: string): number | null {
  const partNanos = parseMoney(part);
  const wholeNanos = parseMoney(whole);
  if (partNanos === undefined || wholeNanos === undefined || wholeNanos <= 0n) return null;
  return Number((partNanos * 1000n) / wholeNanos) / 10;
}

/** `45.9` → `"45.9%"`: of parts that add up. */
export function formatShare(percent: number): string {
  return `${percent.toFixed(1)}%`;
}

/** `45.9` → `"45%"`, more than nothing but less than one → `"<1%"`. */
export function cutPercent(percent: number): string {
  return percent > 0 && percent < 1 ? "<1%" : `${Math.floor(percent)}%`;
}
