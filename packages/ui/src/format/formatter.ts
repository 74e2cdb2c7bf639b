import { UNKNOWN } from "./percent.ts";

/** Words that numbers carry, by language. */
export interface UnitWords {
  readonly cores: (text: string) => string;
  readonly millicores: (text: string) => string;
  readonly bytes: (text: string) => string;
  readonly seconds: (count: number) => string;
  readonly minutes: (count: number) => string;
  readonly hours: (count: number) => string;
  readonly days: (count: number) => string;
  readonly unknown: string;
}

type Unit = "millicores" | "bytes" | "count";

/** The one formatter of the page. Whole numbers come as decimal digits or numbers, money as exact decimals. */
export interface Formatter {
  /** `12,345`; unknown → `–`. */
  count(value: string | number | null | undefined): string;
  /** For reading, unit named, one decimal at most: `62.5 cores`, `71.4 GiB`, `8`; unknown → `–`. */
  quantity(unit: Unit, value: string | null | undefined): string;
  /** The same digit for digit in its published unit: `76,772,540,416 bytes`. For hovers. */
  exactQuantity(unit: Unit, value: string | null | undefined): string;
  /** Money without its code: `1,234.57`, what would round to nothing `<0.01`; unknown → `–`. */
  amount(value: string | null | undefined, decimals?: number): string;
  /** Money with its code: `USD 1,234.57`. */
  price(currency: string, value: string | null | undefined, decimals?: number): string;
  /** `12 s`, `5 min`, `3 h`, `12 d`. */
  age(seconds: number): string;
  /** RFC 3339 → `2026-11-30 11:01:28 UTC`; a text that is no time stays as it is. */
  instant(time: string): string;
}

const BINARY = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] as const;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Makes the formatter of a language. `locale` decides the separators, `words` the units. */
export function createFormatter(locale: string, words: UnitWords): Formatter {
  const whole = new Intl.NumberFormat(locale);
  const tenths = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const decimalFormats = new Map<number, Intl.NumberFormat>();

  function withDecimals(decimals: number): Intl.NumberFormat {
    const known = decimalFormats.get(decimals);
    if (known) return known;
    const made = new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    decimalFormats.set(decimals, made);
    return made;
  }

  function cores(millicores: string): string {
    const value = Number(millicores);
    if (value !== 0 && Math.abs(value) < 100) return words.millicores(whole.format(value));
    return words.cores(tenths.format(value / 1000));
  }

  function bytes(text: string): string {
    let scaled = Number(text);
    let power = -1;
    while (Math.abs(scaled) >= 1024 && power < BINARY.length - 1) {
      scaled /= 1024;
      power += 1;
    }
    const unit = BINARY[power];
    return unit === undefined ? words.bytes(tenths.format(scaled)) : `${tenths.format(scaled)} ${unit}`;
  }

  function amount(value: string | null | undefined, decimals = decimalsFor(value)): string {
    if (value == null || !isDecimal(value)) return UNKNOWN;
    const smallest = 10 ** -decimals;
    const size = Number(value);
    if (size > 0 && size < smallest / 2) return `<${withDecimals(decimals).format(smallest)}`;
    // The text itself, not a float made of it: exact at any size.
    return withDecimals(decimals).format(value);
  }

  return {
    count: (value) => (value == null ? UNKNOWN : whole.format(BigInt(value))),
    quantity(unit, value) {
      if (value == null) return UNKNOWN;
      if (unit === "millicores") return cores(value);
      return unit === "bytes" ? bytes(value) : whole.format(BigInt(value));
    },
    exactQuantity(unit, value) {
      if (value == null) return words.unknown;
      const digits = whole.format(BigInt(value));
      if (unit === "count") return digits;
      return unit === "bytes" ? words.bytes(digits) : words.millicores(digits);
    },
    amount,
    price: (currency, value, decimals) => `${currency} ${amount(value, decimals)}`,
    age(seconds) {
      if (seconds < 2 * MINUTE) return words.seconds(seconds);
      if (seconds < 2 * HOUR) return words.minutes(Math.floor(seconds / MINUTE));
      return seconds < 2 * DAY ? words.hours(Math.floor(seconds / HOUR)) : words.days(Math.floor(seconds / DAY));
    },
    instant(time) {
      const parsed = new Date(time);
      return Number.isNaN(parsed.getTime()) ? time : `${parsed.toISOString().slice(0, 19).replace("T", " ")} UTC`;
    },
  };
}

/** Decimals that a column of amounts up to `largest` is read best with: 4 below 1, 2 below 100,000, else none. */
export function decimalsFor(largest: string | null | undefined): number {
  const size = Math.abs(Number(largest ?? 0));
  if (size < 1) return 4;
  return size < 100_000 ? 2 : 0;
}

function isDecimal(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text);
}
