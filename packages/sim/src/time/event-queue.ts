import type { Seconds } from "./seconds.ts";

interface Planned {
  readonly at: Seconds;
  /** Order of planning: what was planned first for a second happens first in it. */
  readonly order: number;
  readonly run: () => void;
}

/** What will happen, by time. A binary heap: planning and taking cost the logarithm of what is planned. */
export class EventQueue {
  readonly #heap: Planned[] = [];
  #planned = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** When the next event is due; undefined when none is planned. */
  get nextAt(): Seconds | undefined {
    return this.#heap[0]?.at;
  }

  plan(at: Seconds, run: () => void): void {
    this.#heap.push({ at, order: this.#planned++, run });
    this.#rise(this.#heap.length - 1);
  }

  /** Takes the next event that is due at or before `until`. */
  take(until: Seconds): Planned | undefined {
    const first = this.#heap[0];
    if (first === undefined || first.at > until) return undefined;
    const last = this.#heap.pop();
    if (last !== undefined && last !== first) {
      this.#heap[0] = last;
      this.#sink(0);
    }
    return first;
  }

  #rise(start: number): void {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#swapIfEarlier(index, parent)) return;
      index = parent;
    }
  }

  #sink(start: number): void {
    let index = start;
    for (;;) {
      const left = 2 * index + 1;
      const child = this.#isEarlier(left + 1, left) ? left + 1 : left;
      if (!this.#swapIfEarlier(child, index)) return;
      index = child;
    }
  }

  #swapIfEarlier(child: number, parent: number): boolean {
    const below = this.#heap[child];
    const above = this.#heap[parent];
    if (below === undefined || above === undefined || !this.#isEarlier(child, parent)) return false;
    this.#heap[parent] = below;
    this.#heap[child] = above;
    return true;
  }

  #isEarlier(one: number, other: number): boolean {
    const a = this.#heap[one];
    const b = this.#heap[other];
    if (a === undefined || b === undefined) return false;
    return a.at === b.at ? a.order < b.order : a.at < b.at;
  }
}
