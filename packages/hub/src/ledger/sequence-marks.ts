import type { SequenceRange, SpoolMark } from "@plimsoll/contracts/wire";

/** What is durable of a spool: all up to `contiguous`, and the ranges above it, ascending and apart. */
export type Mark = Pick<SpoolMark, "contiguous" | "ranges">;

/** The mark of a spool that nothing has come of. */
export const EMPTY_MARK: Mark = { contiguous: 0, ranges: [] };

/** Does the mark hold the sequence? */
export function holds({ contiguous, ranges }: Mark, sequence: number): boolean {
  if (sequence <= contiguous) return true;
  const range = ranges[indexOf(ranges, ({ last }) => last >= sequence)];
  return range !== undefined && range.first <= sequence;
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
  const from = indexOf(ranges, ({ last }) => last + 1 >= added.first);
  const to = indexOf(ranges, ({ first }) => first > added.last + 1);
  // Those from `from` to before `to` touch it.
  const joined = {
    first: Math.min(added.first, ranges[from]?.first ?? added.first),
    last: Math.max(added.last, ranges[to - 1]?.last ?? added.last),
  };
  return [...ranges.slice(0, from), joined, ...ranges.slice(to)];
}

/** What is left of ascending ranges without others, which are ascending too. */
export function withoutRanges(
  ranges: readonly SequenceRange[],
  removed: readonly SequenceRange[],
): readonly SequenceRange[] {
  return removed.reduce(withoutRange, ranges);
}

function withoutRange(ranges: readonly SequenceRange[], { first, last }: SequenceRange): readonly SequenceRange[] {
  return ranges.flatMap((range) => {
    const below = { first: range.first, last: Math.min(range.last, first - 1) };
    const above = { first: Math.max(range.first, last + 1), last: range.last };
    return [below, above].filter((part) => part.first <= part.last);
  });
}

/** The mark without sequences that it holds only because they were given up. */
export function withoutLost(mark: Mark, lost: readonly SequenceRange[]): Mark {
  if (lost.length === 0) return mark;
  const left = withoutRanges(heldRanges(mark), lost);
  const [head] = left;
  return head?.first === 1 ? { contiguous: head.last, ranges: left.slice(1) } : { contiguous: 0, ranges: left };
}

/** Every sequence that the mark holds, as ascending ranges. */
export function heldRanges({ contiguous, ranges }: Mark): readonly SequenceRange[] {
  return contiguous === 0 ? ranges : [{ first: 1, last: contiguous }, ...ranges];
}

/** The first range that is far enough up; holes may be thousands, so it is looked for by halves. */
function indexOf(ranges: readonly SequenceRange[], isUp: (range: SequenceRange) => boolean): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    if (range !== undefined && isUp(range)) high = middle;
    else low = middle + 1;
  }
  return low;
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
