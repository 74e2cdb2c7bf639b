/**
 * What a splitter finds in a text, in its order. A document is one top-level value: an object, or a list with `items`;
 * the elements of a top-level array are documents too. Calls are synchronous; a listener that throws ends the splitting.
 */
export interface DocumentEvents {
  /** `items` of a document begins. `header` has the fields that stand before it. */
  listStart(header: unknown): void;
  /** One element of `items`. `parse` throws dump_syntax; it may be called once, during this call, or not at all. */
  item(parse: () => unknown, at: string): void;
  /** A document ends. `header` has all fields; for a list `items` is empty in it. */
  documentEnd(header: unknown, isList: boolean, at: string): void;
  /** A top-level array ended after so many documents. */
  arrayEnd(documents: number): void;
}

/** Parts of a text with bytes that are no UTF-8: they are parsed with U+FFFD in their place. */
export class Undecodable {
  parts = 0;
  first: string | undefined;

  /** Looks at the decoded text of one part. */
  see(text: string, at: string): void {
    if (!text.includes("\uFFFD")) return;
    this.parts += 1;
    this.first ??= at;
  }
}

/** Cuts a text that arrives in pieces into documents and elements, holding one at a time. */
export interface Splitter {
  readonly undecodable: Undecodable;
  push(piece: Uint8Array): void;
  /** No more pieces: throws dump_truncated when something is unfinished. */
  end(): void;
}
