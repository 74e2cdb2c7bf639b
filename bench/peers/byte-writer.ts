/** Protobuf's wire form, as little of it as the bench needs. */
export class ByteWriter {
  #buffer = Buffer.allocUnsafe(64);
  #at = 0;

  varint(value: number): this {
    this.#reserve(10);
    let rest = value;
    while (rest > 0x7f) {
      this.#buffer[this.#at++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    this.#buffer[this.#at++] = rest;
    return this;
  }

  tag(field: number, wireType: number): this {
    return this.varint(field * 8 + wireType);
  }

  double(field: number, value: number): this {
    this.tag(field, 1).#reserve(8);
    this.#at = this.#buffer.writeDoubleLE(value, this.#at);
    return this;
  }

  text(field: number, text: string): this {
    const bytes = Buffer.byteLength(text);
    this.tag(field, 2).varint(bytes).#reserve(bytes);
    this.#at += this.#buffer.write(text, this.#at);
    return this;
  }

  blob(field: number, bytes: Uint8Array): this {
    return this.tag(field, 2).varint(bytes.length).raw(bytes);
  }

  raw(bytes: Uint8Array): this {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#at);
    this.#at += bytes.length;
    return this;
  }

  /** What was written; the writer is not to be used any more. */
  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#at);
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#buffer.length, this.#at + bytes));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}
