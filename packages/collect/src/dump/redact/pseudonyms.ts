import { createHmac, randomBytes } from "node:crypto";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const HEX = "0123456789abcdef";

/**
 * Consistent replacements within one dump: the same text gets the same replacement, and without the key nobody can tell which
 * text it was or try one out. The key is random for each dump and is not kept, so that two dumps cannot be joined.
 */
export class Pseudonyms {
  readonly #key: Uint8Array;
  readonly #known = new Map<string, string>();

  constructor(key: Uint8Array = randomBytes(32)) {
    this.#key = key;
  }

  /** A name of the form "pod-k3j9x0q2ab": legal wherever Kubernetes wants a name or a label value. */
  name(prefix: string, text: string): string {
    return this.#remember(
      `name ${prefix} ${text}`,
      (hash) => `${prefix}-${spell(hash, 10, LETTERS.slice(0, 22) + DIGITS)}`,
    );
  }

  /** A text of the form of a UID. */
  uid(text: string): string {
    return this.#remember(`uid ${text}`, (hash) => {
      const hex = spell(hash, 32, HEX);
      return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join(
        "-",
      );
    });
  }

  /** A text of the same length and shape: digits stay digits, hexadecimal stays hexadecimal, punctuation stays. */
  shaped(text: string): string {
    const isHex = /^[0-9a-f-]+$/.test(text);
    return this.#remember(`shape ${text}`, (hash) => {
      let at = 0;
      return text.replace(/[a-z]|[A-Z]|\d/g, (char) => {
        const byte = (hash[at % hash.length] ?? 0) + Math.floor(at / hash.length);
        at += 1;
        if (isHex) return pick(HEX, byte);
        if (/\d/.test(char)) return pick(DIGITS, byte);
        return char === char.toUpperCase() ? pick(LETTERS, byte).toUpperCase() : pick(LETTERS, byte);
      });
    });
  }

  /** 0 or 1, by chance but always the same for a text. */
  bit(text: string): 0 | 1 {
    return this.#remember(`bit ${text}`, (hash) => String((hash[0] ?? 0) & 1)) === "1" ? 1 : 0;
  }

  #remember(what: string, spelled: (hash: Uint8Array) => string): string {
    const held = this.#known.get(what);
    if (held !== undefined) return held;
    const made = spelled(createHmac("sha256", this.#key).update(what).digest());
    this.#known.set(what, made);
    return made;
  }
}

function spell(hash: Uint8Array, length: number, alphabet: string): string {
  return Array.from({ length }, (_, i) => pick(alphabet, hash[i] ?? 0)).join("");
}

function pick(alphabet: string, byte: number): string {
  return alphabet[byte % alphabet.length] ?? "";
}
