/** A repeatable source of choices: the same seed gives the same cases on every machine. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number in [low, high]. */
  int(low: number, high: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  /** One of the items; `items` must not be empty. */
  pick<T>(items: readonly T[]): T;
}

/** A generator of the "mulberry32" family: 32 bits of state, plenty for test cases. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[int(0, items.length - 1)];
      if (item === undefined) throw new Error("pick from nothing");
      return item;
    },
  };
}

/** The seed of this run: env SEED to repeat one, else a new one. Print it. */
export function seedOfRun(): number {
  const given = process.env.SEED;
  if (given === undefined || given === "") return Date.now() % 2 ** 32;
  const seed = Number(given);
  if (!Number.isInteger(seed)) throw new Error(`SEED is "${given}"; it takes a whole number`);
  return seed;
}
