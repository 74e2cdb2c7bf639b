/** Bytes that arrive in pieces. A piece is the reader's own: it is not changed afterwards. */
export type Bytes = AsyncIterable<Uint8Array>;

/** The first bytes of a stream and the whole stream, they included. Iterate `all` or call `discard`: one of both. */
export interface Peeked {
  readonly head: Uint8Array;
  readonly all: Bytes;
  /** Closes the stream without reading the rest. */
  discard(): Promise<void>;
}

/** Reads at least `size` bytes ahead, fewer when the stream ends before. */
export async function peek(bytes: Bytes, size: number): Promise<Peeked> {
  const iterator = bytes[Symbol.asyncIterator]();
  const pieces: Uint8Array[] = [];
  let length = 0;
  while (length < size) {
    const next = await iterator.next();
    if (next.done) break;
    pieces.push(next.value);
    length += next.value.length;
  }
  const discard = async () => {
    await iterator.return?.();
  };
  return { head: Buffer.concat(pieces), all: resume(pieces, iterator), discard };
}

/** All bytes in one piece: for entries whose size is known and small. */
export async function gather(bytes: Bytes): Promise<Uint8Array> {
  return Buffer.concat(await Array.fromAsync(bytes));
}

async function* resume(pieces: readonly Uint8Array[], iterator: AsyncIterator<Uint8Array>): Bytes {
  try {
    yield* pieces;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
