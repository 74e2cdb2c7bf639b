/** How often each value occurs; null and undefined are no value. */
export function countValues<T extends string>(values: Iterable<T | null | undefined>): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) {
    if (value !== null && value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

/** The value that occurs most often, null when there is none. A tie goes to the first in text order, whatever the input's. */
export function mostCommon<T extends string>(counts: ReadonlyMap<T, number>): T | null {
  let best: T | null = null;
  for (const [value, count] of counts) {
    const bestCount = best === null ? 0 : (counts.get(best) ?? 0);
    if (best === null || count > bestCount || (count === bestCount && value < best)) best = value;
  }
  return best;
}
