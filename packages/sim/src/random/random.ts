import { hashText } from "./hash.ts";
import type { NonEmpty } from "./non-empty.ts";

/** The letters Kubernetes makes name suffixes of: no vowels, nothing that looks like something else. */
const SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";
const HEX_DIGITS = "0123456789abcdef";

/** A stream of random choices that is the same for the same seed, on every machine. */
export interface Random {
  /** In [0, 1). */
  unit(): number;
  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(items: NonEmpty<T>): T;
  /** The ending of a generated name ("x7k2p"). */
  suffix(length: number): string;
  hex(length: number): string;
  /** A version 4 UUID. */
  uuid(): string;
}

/** A stream for `seed`. Streams of different seeds are independent: one cluster's fate never shifts another's. */
export function createRandom(seed: string): Random {
  const unit = smallFastCounter(seed);
  const integer = (low: number, high: number) => low + Math.floor(unit() * (high - low + 1));
  const letters = (alphabet: string, length: number) => {
    let text = "";
    for (let i = 0; i < length; i++) text += alphabet.charAt(integer(0, alphabet.length - 1));
    return text;
  };
  const hex = (length: number) => letters(HEX_DIGITS, length);
  return {
    unit,
    integer,
    chance: (probability) => unit() < probability,
    pick: (items) => items[integer(0, items.length - 1)] ?? items[0],
    suffix: (length) => letters(SUFFIX_LETTERS, length),
    hex,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${letters("89ab", 1)}${hex(3)}-${hex(12)}`,
  };
}

/** The generator "small fast counter" (sfc32, public domain by Chris Doty-Humphrey): 128 bits of state, passes PractRand. */
function smallFastCounter(seed: string): () => number {
  let a = hashText(`${seed}/a`);
  let b = hashText(`${seed}/b`);
  let c = hashText(`${seed}/c`);
  let counter = 1;
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 4294967296;
  };
  for (let i = 0; i < 12; i++) next();
  return next;
}
