/** Times of one kind, sorted into buckets. */
export interface DurationFigures {
  /** Labels of these times; empty = it has none. */
  readonly labels: Readonly<Record<string, string>>;
  /** How many were at most each bound. */
  readonly counts: readonly number[];
  readonly count: number;
  readonly sumSeconds: number;
}

/** Takes times, as a histogram does. */
export class Durations {
  readonly #bounds: readonly number[];
  readonly #series = new Map<
    string,
    { labels: Readonly<Record<string, string>>; counts: number[]; count: number; sum: number }
  >();

  /** `bounds` in seconds, ascending. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  observe(seconds: number, labels: Readonly<Record<string, string>> = {}): void {
    const key = Object.values(labels).join(" ");
    const series = this.#series.get(key) ?? { labels, counts: this.#bounds.map(() => 0), count: 0, sum: 0 };
    this.#series.set(key, series);
    for (const [at, bound] of this.#bounds.entries())
      if (seconds <= bound) series.counts[at] = (series.counts[at] ?? 0) + 1;
    series.count += 1;
    series.sum += seconds;
  }

  figures(): readonly DurationFigures[] {
    return [...this.#series.values()].map(({ labels, counts, count, sum }) => ({
      labels,
      counts,
      count,
      sumSeconds: sum,
    }));
  }
}
