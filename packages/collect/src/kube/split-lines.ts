/**
 * The lines of a byte stream, without their "\n". A last line without "\n" was cut and is dropped: half an event is no
 * event. Rejects with `tooLong()` when a line is longer than `maxBytes`.
 */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  tooLong: () => Error,
): AsyncGenerator<string, void, undefined> {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const piece = chunk.subarray(start, end);
      // Decoded only when complete: a character may be split between two chunks.
      yield (begun.length === 0 ? piece : Buffer.concat([...begun, piece])).toString("utf8");
      begun = [];
      begunBytes = 0;
      start = end + 1;
    }
    if (start < chunk.length) {
      begun.push(chunk.subarray(start));
      begunBytes += chunk.length - start;
      if (begunBytes > maxBytes) throw tooLong();
    }
  }
}
