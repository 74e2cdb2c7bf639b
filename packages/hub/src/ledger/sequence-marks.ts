import type { SequenceRange, SpoolMark } from "@plimsoll/contracts/wire";

/** What is durable of a spool: all up to `contiguous`, and the ranges above it, ascending and apart. */
export type Mark = Pick<SpoolMark, "contiguous" | "ranges">;

/** The mark of a spool that nothing has come of. */
export const EMPTY_MARK: Mark = { contiguous: 0, ranges: [] };

/** Does the mark hold the sequence? */
export function holds({ contiguous, ranges }: Mark, sequence: number): boolean {
  return sequence <= contiguous || ranges.some(({ first, last }) => first <= sequence && sequence <= last);
}

/** The mark with a range of sequences added, whatever of it was there before. The order of additions changes nothing. */
export function addRange(mark: Mark, added: SequenceRange): Mark {
  const merged = joinRange(mark.ranges, added);
  const head = merged[0];
  if (head === undefined || head.first > mark.contiguous + 1) return { contiguous: mark.contiguous, ranges: merged };
  // Merged ranges are apart, so only the first can close the hole.
  return { contiguous: Math.max(mark.contiguous, head.last), ranges: merged.slice(1).filter(above(head.last)) };
}

function above(last: number): (range: SequenceRange) => boolean {
  return (range) => range.last > last;
}

/** Ascending ranges with one more, joined where they touch. */
export function joinRange(ranges: readonly SequenceRange[], added: SequenceRange): readonly SequenceRange[] {
  const touching = ranges.filter(({ first, last }) => first <= added.last + 1 && added.first <= last + 1);
  const joined = {
    first: Math.min(added.first, ...touching.map(({ first }) => first)),
    last: Math.max(added.last, ...touching.map(({ last }) => last)),
  };
  return [
    ...ranges.filter(({ last }) => last + 1 < added.first),
    joined,
    ...ranges.filter(({ first }) => first > added.last + 1),
  ];
}

/** The ranges as they are stored: `[[first, last], …]`. */
export function formatRanges(ranges: readonly SequenceRange[]): string {
  return JSON.stringify(ranges.map(({ first, last }) => [first, last]));
}

/** The ranges of a stored text. Throws RangeError when it is none of ours. */
export function parseRanges(text: string): readonly SequenceRange[] {
  const pairs: unknown = JSON.parse(text);
  if (!Array.isArray(pairs)) throw new RangeError(`no ranges: ${text}`);
  return pairs.map((pair: unknown) => {
    const [first, last]: unknown[] = Array.isArray(pair) ? pair : [];
    if (typeof first !== "number" || typeof last !== "number")
      throw new RangeError(`no range: ${JSON.stringify(pair)}`);
    return { first, last };
  });
}
