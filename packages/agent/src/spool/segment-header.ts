/**
 * How a segment begins: magic (4), then whether anything of it may have been sent (4). The word is overwritten in place, so
 * that it needs no room on a full disk, and a single damaged byte never turns one word into the other.
 */
const MAGIC = Buffer.from("PLS1");
const UNSENT = Buffer.from("NEW\n");
const SENT = Buffer.from("SENT");

/** The first entry lies behind this many bytes. */
export const HEADER_BYTES = 8;

/** The header of a new segment: nothing of it was ever sent. */
export function newHeader(): Uint8Array {
  return Buffer.concat([MAGIC, UNSENT]);
}

/** What makes a segment one that may have been sent, and where it is written. */
export const SENT_MARK = { bytes: SENT, position: MAGIC.length } as const;

/** Does the segment prove that nothing of it was ever sent? Whatever is not exactly such a header proves nothing. */
export function provesUnsent(segment: Uint8Array): boolean {
  return newHeader().every((byte, index) => segment[index] === byte);
}

/** Is the header one of the two that are ever written? */
export function isIntactHeader(segment: Uint8Array): boolean {
  const sent = Buffer.concat([MAGIC, SENT]);
  return provesUnsent(segment) || sent.every((byte, index) => segment[index] === byte);
}
