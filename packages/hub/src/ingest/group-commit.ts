import { FairQueue, type QueuePlace } from "./fair-queue.ts";

/** One item that waits for its group. */
interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** How groups are made. */
export interface GroupOptions {
  /** A group starts at most so often: what comes meanwhile waits and shares it. The first after a pause waits for nothing. */
  readonly everyMs: number;
  /** A group takes no more than this, by the sizes that `add` was given; one larger item goes alone. */
  readonly maxSize: number;
  /** Groups get smaller where they take longer than this, so that who comes next does not wait for long. Default: never. */
  readonly maxMs?: number;
}

/** Groups do not get smaller than this share of the greatest: each has a price of its own. */
const LEAST_SHARE = 0.1;

/**
 * Work that is cheaper together: items that come while a group is being worked on wait for one of the next, each member
 * and lane with its share. `work` gives one result for each, in their order; when it throws, all of the group fail with it.
 */
export class GroupCommit<Item, Result> {
  private readonly work: (items: readonly Item[]) => Promise<readonly Result[]>;
  private readonly options: GroupOptions;
  private readonly queue = new FairQueue<Waiting<Item, Result>>();
  private running = false;
  private lastStartMs = Number.NEGATIVE_INFINITY;
  private readonly hurry = new AbortController();
  /** What the next group may take. */
  private size: number;

  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>, options: GroupOptions) {
    this.work = work;
    this.options = options;
    this.size = options.maxSize;
  }

  /** Waits for the item's group and gives its own result. `size` as the group's limit counts. */
  add(item: Item, size: number, place: QueuePlace): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.queue.add({ item, resolve, reject }, size, place);
    if (!this.running) void this.run();
    return promise;
  }

  /** From now on groups follow each other without pauses: before an end. */
  hasten(): void {
    this.hurry.abort();
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.queue.length > 0) {
      await this.pause();
      this.lastStartMs = performance.now();
      await this.workOff(this.queue.take(this.size));
      this.fit(performance.now() - this.lastStartMs, this.queue.length > 0);
    }
    this.running = false;
  }

  private async workOff(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.work(group.map(({ item }) => item));
      for (const [index, result] of results.entries()) group[index]?.resolve(result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  /** A group that was full says how much goes into the time. */
  private fit(tookMs: number, wasFull: boolean): void {
    const { maxSize, maxMs } = this.options;
    if (maxMs === undefined) return;
    const fitting = wasFull || tookMs > maxMs ? (this.size * maxMs) / Math.max(tookMs, 1) : this.size * 2;
    // Half of the way: one slow group is not yet a slow machine.
    this.size = Math.min(Math.max((this.size + fitting) / 2, maxSize * LEAST_SHARE), maxSize);
  }

  private async pause(): Promise<void> {
    const ms = this.lastStartMs + this.options.everyMs - performance.now();
    if (ms <= 0 || this.hurry.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.hurry.signal.addEventListener("abort", () => resolve(clearTimeout(timer)), { once: true });
    await promise;
  }
}
