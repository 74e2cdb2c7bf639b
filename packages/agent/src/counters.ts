/** Events since the start, by name. */
export interface Counters {
  add(name: string, by?: number): void;
  all(): Readonly<Record<string, number>>;
}

/** All at zero. */
export function createCounters(): Counters {
  const counts = new Map<string, number>();
  return {
    add: (name, by = 1) => {
      counts.set(name, (counts.get(name) ?? 0) + by);
    },
    all: () => Object.fromEntries(counts),
  };
}
