/** The part of a stream that an inbox reads from. */
export interface MessageSource<T> {
  on(event: "data", listener: (message: T) => void): unknown;
  on(event: "end" | "close" | "cancelled" | "error", listener: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** Messages that wait before the peer is held back. */
const MOST_WAITING = 8;

/** The messages of a stream, one by one, at the pace of whoever takes them: the peer is held back meanwhile. */
export class Inbox<T> {
  readonly #source: MessageSource<T>;
  readonly #waiting: T[] = [];
  #over = false;
  #wake: () => void = () => {};

  constructor(source: MessageSource<T>) {
    this.#source = source;
    source.on("data", (message) => {
      if (this.#over) return;
      this.#waiting.push(message);
      if (this.#waiting.length >= MOST_WAITING) source.pause();
      this.#wake();
    });
    for (const event of ["end", "close", "cancelled", "error"] as const) source.on(event, () => this.close());
  }

  /** The next message; null when there will be none. One call at a time. */
  async next(): Promise<T | null> {
    while (this.#waiting.length === 0 && !this.#over) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const message = this.#waiting.shift();
    if (this.#waiting.length < MOST_WAITING) this.#source.resume();
    return message ?? null;
  }

  /** Takes no more; messages that wait are still given out. */
  close(): void {
    this.#over = true;
    this.#wake();
  }
}
