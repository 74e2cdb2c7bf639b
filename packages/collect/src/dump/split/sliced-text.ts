/** Collects the bytes of one object out of pieces, without copying when it lies within one piece. */
export class SlicedText {
  readonly #limit: number;
  readonly #tooLarge: () => Error;
  #parts: Uint8Array[] = [];
  #size = 0;
  /** Where collecting goes on in the current piece; -1 while it is paused. */
  #from = -1;

  constructor(limitBytes: number, tooLarge: () => Error) {
    this.#limit = limitBytes;
    this.#tooLarge = tooLarge;
  }

  /** Collects from position `i` of the current piece. */
  start(i: number): void {
    this.#from = i;
  }

  /** Collects up to position `end` of `piece` and pauses. */
  pause(piece: Uint8Array, end: number): void {
    if (this.#from < 0) return;
    this.#add(piece.subarray(this.#from, end));
    this.#from = -1;
  }

  /** The current piece is over: keeps its share. */
  carry(piece: Uint8Array): void {
    if (this.#from < 0) return;
    this.#add(piece.subarray(this.#from));
    this.#from = 0;
  }

  /** What was collected so far, with an ending. */
  peek(ending: string): Uint8Array {
    return Buffer.concat([...this.#parts, Buffer.from(ending)]);
  }

  /** What was collected; begins anew. */
  take(): Uint8Array {
    const [first, ...others] = this.#parts;
    this.#parts = [];
    this.#size = 0;
    this.#from = -1;
    if (first === undefined) return new Uint8Array();
    return others.length === 0 ? first : Buffer.concat([first, ...others]);
  }

  #add(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > this.#limit) throw this.#tooLarge();
    this.#parts.push(part);
  }
}
