/** An amount of money in nano-units of its currency (1 USD = 1_000_000_000n). Amounts only; rates are `Rate`. */
export type CostNanos = bigint;

/** ISO 4217 code, upper case. Amounts of different currencies are never summed. */
export type Currency = string;

const NANOS_PER_UNIT = 1_000_000_000n;

/** `-1234500000n` → `"-1.2345"`. Exact, no exponent, no trailing zeros; JSON and CSV carry money in this form. */
export function formatMoney(nanos: CostNanos): string {
  const sign = nanos < 0n ? "-" : "";
  const abs = nanos < 0n ? -nanos : nanos;
  const fraction = (abs % NANOS_PER_UNIT).toString().padStart(9, "0").replace(/0+$/, "");
  return `${sign}${abs / NANOS_PER_UNIT}${fraction === "" ? "" : `.${fraction}`}`;
}

/** `"-1.2345"` → `-1234500000n`. Undefined when the text is no plain decimal or is finer than a nano-unit. */
export function parseMoney(text: string): CostNanos | undefined {
  const match = /^(-?)(\d+)(?:\.(\d{1,9}))?$/.exec(text);
  if (!match) return undefined;
  const nanos = BigInt(match[2] ?? "0") * NANOS_PER_UNIT + BigInt((match[3] ?? "").padEnd(9, "0"));
  return match[1] === "-" ? -nanos : nanos;
}

/**
 * An exact decimal rate, `digits × 10^-scale` per unit and hour (0.00005479452 is no whole nano-unit, so rates are not
 * `CostNanos`). Source: price books, list prices, defaults.
 */
export interface Rate {
  readonly digits: bigint;
  readonly scale: number;
}

/** `"0.031611"` → `{digits: 31611n, scale: 6}`. Undefined when the text is no plain, non-negative decimal. */
export function parseRate(text: string): Rate | undefined {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) return undefined;
  const fraction = match[2] ?? "";
  return { digits: BigInt(`${match[1]}${fraction}`), scale: fraction.length };
}

/** The rate as a plain decimal text, the form it was written in. */
export function formatRate(rate: Rate): string {
  const text = rate.digits.toString().padStart(rate.scale + 1, "0");
  return rate.scale === 0 ? text : `${text.slice(0, -rate.scale)}.${text.slice(-rate.scale)}`;
}
