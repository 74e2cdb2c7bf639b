import type { Random } from "./random.ts";

const SUFFIXES = ["", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const STRANGE_SUFFIXES = [
  "K",
  "Mib",
  "mi",
  "ki",
  "g",
  "i",
  "ni",
  "ei",
  "e",
  "e+",
  "E-",
  "EE",
  "e3m",
  "Ke3",
  "m3",
  " Gi",
];
const STRANGE_CHARACTERS = [
  "_",
  ",",
  " ",
  "\t",
  "\n",
  "８",
  "²",
  "x",
  "0x",
  "∞",
  "-",
  "+",
  ".",
  "e",
  "E",
  "\u0000",
  "i",
];
/** Where 64-bit and 18-digit fast paths end, and the cap of binary suffixes. */
const EDGE_NUMBERS = [
  "9223372036854775807",
  "9223372036854775808",
  "-9223372036854775808",
  "999999999999999999",
  "1000000000000000000",
  "9007199254740993",
  "8388608",
  "8191.999999999",
  "0.0000000001",
  "0.000000001",
  "0.0000000009999999999999999999999",
];

/** A quantity text, mostly well formed and often at an edge of the grammar; some are none. */
export function generateQuantity(random: Random): string {
  const kind = random.next();
  if (kind < 0.35) return number(random) + random.pick(SUFFIXES);
  if (kind < 0.6) return number(random) + (random.chance(0.1) ? wideExponent(random) : exponent(random));
  if (kind < 0.75) return random.pick(EDGE_NUMBERS) + random.pick(SUFFIXES);
  if (kind < 0.85) return number(random) + random.pick(STRANGE_SUFFIXES);
  if (kind < 0.95) return mutate(random, number(random) + random.pick([random.pick(SUFFIXES), exponent(random)]));
  return random.pick(["", "+", "-", ".", "+."]) + random.pick([random.pick(SUFFIXES), exponent(random)]);
}

function number(random: Random): string {
  const sign = random.pick(["", "", "", "", "-", "+"]);
  const zeros = random.chance(0.15) ? "0".repeat(random.int(1, 20)) : "";
  const whole = digits(random, random.chance(0.1) ? 40 : 12);
  const point = random.chance(0.5) ? `.${digits(random, random.chance(0.1) ? 40 : 12)}` : "";
  return `${sign}${zeros}${whole}${point}`;
}

/** Up to `most` digits, often ending or starting in zeros, sometimes none. */
function digits(random: Random, most: number): string {
  const length = random.int(0, most);
  const zeros = random.chance(0.2) ? random.int(0, length) : 0;
  const rest = Array.from({ length: length - zeros }, () => random.int(0, 9)).join("");
  return random.chance(0.5) ? "0".repeat(zeros) + rest : rest + "0".repeat(zeros);
}

function exponent(random: Random): string {
  const power = random.int(-40, 40);
  const sign = power >= 0 ? random.pick(["", "+"]) : "";
  return `${random.pick(["e", "E"])}${sign}${random.chance(0.1) ? leadingZeros(power) : power}`;
}

/**
 * An exponent beyond 32 and 64 bits, where upstream wraps or refuses. Only near multiples of 2^32, and never mutated: others
 * would leave upstream with a power of ten in the millions to compute.
 */
function wideExponent(random: Random): string {
  const wraps = BigInt(random.pick([-1, 1])) << BigInt(random.pick([32, 33, 40, 62, 63, 64, 80]));
  return `${random.pick(["e", "E"])}${wraps + BigInt(random.int(-40, 40))}`;
}

function leadingZeros(value: number): string {
  return `${value < 0 ? "-" : ""}00${Math.abs(value)}`;
}

/** The text with a character inserted, dropped or doubled somewhere; never with an exponent that upstream hangs on. */
function mutate(random: Random, text: string): string {
  const at = random.int(0, text.length);
  const mutated = random.chance(0.6)
    ? text.slice(0, at) + random.pick(STRANGE_CHARACTERS) + text.slice(at)
    : text.slice(0, at) + text.slice(random.chance(0.5) ? at + 1 : Math.max(0, at - 1));
  return /[eE][+-]?\d{5}/.test(mutated) ? text : mutated;
}
