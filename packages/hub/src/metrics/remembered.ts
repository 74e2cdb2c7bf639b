/** What is read is good for this long: everybody may scrape, and several metrics come of one question. */
const GOOD_MS = 5_000;

/** A figure that is asked for often and read seldom; askers at the same time share one reading. */
export class Remembered<T> {
  readonly #now: () => number;
  readonly #read: () => Promise<T>;
  #reading: Promise<T> | null = null;
  #readAtMs = 0;

  /** `now` in milliseconds. */
  constructor(now: () => number, read: () => Promise<T>) {
    this.#now = now;
    this.#read = read;
  }

  /** Rejects when it cannot be read; the next one to ask tries again. */
  value(): Promise<T> {
    const nowMs = this.#now();
    if (this.#reading && nowMs >= this.#readAtMs && nowMs < this.#readAtMs + GOOD_MS) return this.#reading;
    this.#readAtMs = nowMs;
    const reading = this.#read();
    this.#reading = reading;
    reading.catch(() => {
      if (this.#reading === reading) this.#reading = null;
    });
    return reading;
  }
}
