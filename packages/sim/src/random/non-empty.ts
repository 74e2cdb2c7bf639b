/** A list with at least one item: picking from it always gives one. */
export type NonEmpty<T> = readonly [T, ...T[]];

/** The item at `index`, counted round and round; `index` is whole and not negative. */
export function itemAt<T>(items: NonEmpty<T>, index: number): T {
  return items[index % items.length] ?? items[0];
}
