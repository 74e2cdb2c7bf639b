import { NANOS, PlimsollError, type QuantityNanos } from "@plimsoll/contracts";

/**
 * The Kubernetes quantity grammar: sign, digits with or without point, then a decimal suffix, a binary suffix or an
 * exponent. Digits may be missing altogether ("m", "Gi", "."), which reads as 0.
 */
const QUANTITY = /^([+-]?)(\d*)(?:\.(\d*))?(?:([numkMGTPE])|([KMGTPE])i|[eE]([+-]?\d+))?$/;

const DECIMAL_EXPONENTS: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};

/** Powers of two of the binary suffixes, by their first letter. */
const BINARY_SHIFTS: Readonly<Record<string, bigint>> = { K: 10n, M: 20n, G: 30n, T: 40n, P: 50n, E: 60n };

/** Quantities with a binary suffix are capped here, as upstream does; decimal ones are not. */
const BINARY_CAP = ((1n << 63n) - 1n) * NANOS;

const NANO_DIGITS = 9;
const INT64_MAX = (1n << 63n) - 1n;
const INT64_MIN = -(1n << 63n);

/**
 * Longest accepted text, in characters, and largest accepted value, in decimal digits of nano-units. Upstream accepts
 * "1e999999999" and then hangs or runs out of memory when it computes with it; no real quantity has more than thirty
 * digits, so such a text is refused instead.
 */
const MAX_DIGITS = 1_000;

/** Characters of a refused text that an error shows. */
const MAX_SHOWN = 60;

/**
 * A Kubernetes quantity in nano-units, or undefined when the text is none. Same values as upstream
 * `resource.ParseQuantity`: finer than nano rounds away from zero, binary suffixes are capped at 2^63−1. Numbers are
 * accepted because `cpu: 2` is legal YAML. Differs from upstream only where that cannot compute: texts and values of more
 * than 1,000 digits are refused, and "1e-999999999" is 1n at once.
 */
export function tryParseQuantity(text: string | number): QuantityNanos | undefined {
  const source = String(text);
  const match = source === "" || source.length > MAX_DIGITS ? null : QUANTITY.exec(source);
  if (!match) return undefined;
  const [, sign, whole = "", fraction = "", decimal, binary, exponentText] = match;
  const digitless = whole === "" && fraction === "";
  const magnitude =
    binary === undefined
      ? decimalNanos(whole, fraction, exponentOf(decimal, exponentText), digitless)
      : binaryNanos(whole, fraction, binary, digitless);
  return sign === "-" && magnitude !== undefined ? -magnitude : magnitude;
}

/**
 * Like `tryParseQuantity`, but throws `quantity_invalid` with the field and the value.
 * @param field where the text stands, for the message: "Pod/shop/cart spec.containers[web].resources.requests.cpu"
 */
export function parseQuantity(text: string | number, field: string): QuantityNanos {
  const nanos = tryParseQuantity(text);
  if (nanos === undefined) throw invalidQuantity(field, text);
  return nanos;
}

/** The error for a value that is no quantity; an endless text is cut, so that the message stays readable. */
export function invalidQuantity(field: string, value: unknown): PlimsollError {
  const text = String(value);
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return new PlimsollError("quantity_invalid", { field, value: shown });
}

/** Decimal exponent of a suffix or an explicit exponent; undefined when it does not fit 64 bits (upstream refuses it). */
function exponentOf(suffix: string | undefined, text: string | undefined): bigint | undefined {
  if (text === undefined) return BigInt(suffix === undefined ? 0 : (DECIMAL_EXPONENTS[suffix] ?? 0));
  const exponent = BigInt(text.startsWith("+") ? text.slice(1) : text);
  return exponent > INT64_MAX || exponent < INT64_MIN ? undefined : exponent;
}

function decimalNanos(
  whole: string,
  fraction: string,
  exponent: bigint | undefined,
  digitless: boolean,
): bigint | undefined {
  if (exponent === undefined) return undefined;
  // Upstream keeps scales in 32 bits and lets them wrap ("1e4294967296" is 1); the scheduler counts the same.
  const scale = Number(BigInt.asIntN(32, exponent - BigInt(fraction.length)));
  if (digitless && scale < -NANO_DIGITS) return undefined;
  return shifted(BigInt(`0${whole}${fraction}`), scale + NANO_DIGITS);
}

function binaryNanos(whole: string, fraction: string, suffix: string, digitless: boolean): bigint | undefined {
  // A quirk of upstream's fast path: "Ti" is 0, "Pi" and "Ei" are errors.
  if (digitless && (suffix === "P" || suffix === "E")) return undefined;
  const value = BigInt(`0${whole}${fraction}`) << (BINARY_SHIFTS[suffix] ?? 0n);
  const nanos = divideUp(value * NANOS, 10n ** BigInt(fraction.length));
  return nanos > BINARY_CAP ? BINARY_CAP : nanos;
}

/** `digits × 10^power`, rounded up to a whole number; undefined when it is longer than `MAX_DIGITS`. */
function shifted(digits: bigint, power: number): bigint | undefined {
  if (digits === 0n) return 0n;
  const length = digits.toString().length;
  if (length + power > MAX_DIGITS) return undefined;
  if (length + power < 0) return 1n;
  return power >= 0 ? digits * 10n ** BigInt(power) : divideUp(digits, 10n ** BigInt(-power));
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor === 0n ? quotient : quotient + 1n;
}
