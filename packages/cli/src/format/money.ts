import { formatMoney, PlimsollError, parseMoney } from "@plimsoll/contracts";
import { UNKNOWN } from "./unknown.ts";

/**
 * Money for reading, without its currency: `"1,234.57"`. `text` is the exact decimal; `null` → `"–"`; what would round to
 * nothing reads `"<0.01"`.
 */
export function formatAmount(text: string | null | undefined, decimals = decimalsFor(text)): string {
  if (text === null || text === undefined || !isDecimal(text)) return UNKNOWN;
  const size = Number(text);
  const smallest = 10 ** -decimals;
  if (size > 0 && size < smallest / 2) return `<${numberFormat(decimals).format(smallest)}`;
  return numberFormat(decimals).format(text);
}

/** Money with its currency code: `"USD 1,234.57"`. */
export function formatPrice(currency: string, text: string, decimals?: number): string {
  return `${currency} ${formatAmount(text, decimals)}`;
}

/** Decimals that a column of amounts up to `largest` is read best with: 4 below 1, 2 below 100,000, else none. */
export function decimalsFor(largest: string | null | undefined): number {
  const size = Math.abs(Number(largest ?? 0));
  if (size < 1) return 4;
  return size < 100_000 ? 2 : 0;
}

/** Exact sum of decimal amounts of one currency. */
export function sumAmounts(amounts: readonly string[]): string {
  return formatMoney(amounts.reduce((sum, text) => sum + exact(text), 0n));
}

/** `part` of `whole` in percent, one decimal, for bars and labels; `null` when there is no whole. */
export function sharePercent(part: string, whole: string): number | null {
  const total = exact(whole);
  return total <= 0n ? null : Number((exact(part) * 1000n) / total) / 10;
}

/** Reports hold money in exact decimals only: anything else is a defect, and never quietly nothing. */
function exact(text: string): bigint {
  const nanos = parseMoney(text);
  if (nanos === undefined) throw new PlimsollError("internal", { reason: `"${text}" is no amount of money` });
  return nanos;
}

const formats = new Map<number, Intl.NumberFormat>();

function numberFormat(decimals: number): Intl.NumberFormat {
  const known = formats.get(decimals);
  if (known) return known;
  const made = new Intl.NumberFormat("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  formats.set(decimals, made);
  return made;
}

function isDecimal(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text);
}
