/** What of one stream is on its way: so many bytes and batches at most. One larger than the window goes alone. */
export class DeliveryWindow {
  readonly #maxBytes: number;
  readonly #maxBatches: number;
  #bytes = 0;
  #batches = 0;
  #wake: () => void = () => {};

  constructor(maxBytes: number, maxBatches: number) {
    this.#maxBytes = maxBytes;
    this.#maxBatches = maxBatches;
  }

  /** Resolves when there is room. One call at a time. */
  async enter(bytes: number): Promise<void> {
    await this.#until(
      () => this.#batches === 0 || (this.#bytes + bytes <= this.#maxBytes && this.#batches < this.#maxBatches),
    );
    this.#bytes += bytes;
    this.#batches += 1;
  }

  leave(bytes: number): void {
    this.#bytes -= bytes;
    this.#batches -= 1;
    this.#wake();
  }

  /** Resolves when nothing is on its way. */
  empty(): Promise<void> {
    return this.#until(() => this.#batches === 0);
  }

  async #until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
