/** How many there are of a name. */
export interface NamedCount {
  readonly name: string;
  readonly count: number;
}

/** Counts in a fixed order, names that it does not know behind by name; nothing is counted that is not there. */
export function sortCounts(counts: Readonly<Record<string, number>>, order: readonly string[]): NamedCount[] {
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.entries(counts)
    .map(([name, count]) => ({ name, count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => rank(a.name) - rank(b.name) || a.name.localeCompare(b.name));
}

/** Counts from the largest, equal ones by name. */
export function largestFirst(counts: Readonly<Record<string, number>>): NamedCount[] {
  return sortCounts(counts, []).sort((a, b) => b.count - a.count);
}
