import type { Rate } from "@plimsoll/contracts";

/** An exact, non-negative number: `num ÷ den`, `den` > 0. Prices and shares stay exact until they become an amount. */
export interface Fraction {
  readonly num: bigint;
  readonly den: bigint;
}

/** Zero. */
export const ZERO: Fraction = { num: 0n, den: 1n };

/** A rate as a fraction. */
export function rateFraction(rate: Rate): Fraction {
  return { num: rate.digits, den: 10n ** BigInt(rate.scale) };
}

/** `a × b`. */
export function times(a: Fraction, b: Fraction): Fraction {
  return reduce(a.num * b.num, a.den * b.den);
}

/** `a ÷ b`; `b` must not be zero. */
export function dividedBy(a: Fraction, b: Fraction): Fraction {
  return reduce(a.num * b.den, a.den * b.num);
}

/** Sum of all; zero for none. */
export function sum(all: readonly Fraction[]): Fraction {
  return all.reduce((a, b) => reduce(a.num * b.den + b.num * a.den, a.den * b.den), ZERO);
}

/** `a − b`, zero where `b` is larger. */
export function minusToZero(a: Fraction, b: Fraction): Fraction {
  const num = a.num * b.den - b.num * a.den;
  return num <= 0n ? ZERO : reduce(num, a.den * b.den);
}

/** `fraction × scale` as a whole number, half rounded up. */
export function roundedTimes(fraction: Fraction, scale: bigint): bigint {
  return (2n * fraction.num * scale + fraction.den) / (2n * fraction.den);
}

/** Whole numbers in the same proportions as the fractions. */
export function proportions(all: readonly Fraction[]): readonly bigint[] {
  const common = all.reduce((lcm, { den }) => (lcm / greatestDivisor(lcm, den)) * den, 1n);
  return all.map(({ num, den }) => num * (common / den));
}

function reduce(num: bigint, den: bigint): Fraction {
  const divisor = greatestDivisor(num, den);
  return divisor <= 1n ? { num, den } : { num: num / divisor, den: den / divisor };
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
