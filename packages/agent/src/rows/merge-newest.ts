/** Rows that are held at most: in all, or of a single hour, as those of a large cluster are; and their hours. */
export interface MostRows {
  readonly rows: number;
  readonly ofAnHour: number;
  readonly hours: number;
}

/**
 * Rows by key, of which the newest counts: the greatest `asOfMs`, and of equal ones the one that came last. Rows are
 * cumulative, so the newest holds what those before it held.
 */
export class NewestRows<R extends { readonly asOfMs: number; readonly hourStartMs: number }> {
  readonly #keyOf: (row: R) => string;
  readonly #rows = new Map<string, R>();
  readonly #hours = new Set<number>();

  constructor(keyOf: (row: R) => string) {
    this.#keyOf = keyOf;
  }

  /** Takes rows up; false = there would be too many of them, or of hours: none is taken then. */
  add(rows: readonly R[], most: MostRows): boolean {
    const added = new Set(rows.map(this.#keyOf).filter((key) => !this.#rows.has(key)));
    const hours = new Set([...this.#hours, ...rows.map(({ hourStartMs }) => hourStartMs)]);
    if (this.#rows.size + added.size > (hours.size === 1 ? most.ofAnHour : most.rows)) return false;
    if (hours.size > most.hours) return false;
    for (const row of rows) this.#put(row);
    return true;
  }

  rows(): readonly R[] {
    return [...this.#rows.values()];
  }

  #put(row: R): void {
    const key = this.#keyOf(row);
    this.#hours.add(row.hourStartMs);
    const held = this.#rows.get(key);
    if (held && held.asOfMs > row.asOfMs) return;
    // At the end again, so that what is behind what stays as it came.
    this.#rows.delete(key);
    this.#rows.set(key, row);
  }
}
