/** A small random generator with a seed (mulberry32): the example is the same on every machine. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A number between the two, `to` excluded. */
  between(from: number, to: number): number {
    return from + this.next() * (to - from);
  }

  /** Characters of an alphabet. */
  text(length: number, alphabet: string): string {
    return Array.from({ length }, () => alphabet[Math.floor(this.next() * alphabet.length)] ?? "").join("");
  }

  hex(length: number): string {
    return this.text(length, "0123456789abcdef");
  }

  uid(): string {
    return [this.hex(8), this.hex(4), `4${this.hex(3)}`, `a${this.hex(3)}`, this.hex(12)].join("-");
  }
}

/** The letters of Kubernetes' own random names. */
export const NAME_LETTERS = "bcdfghjklmnpqrstvwxz2456789";
