/** One item that waits for its group. */
interface Waiting<Item, Result> {
  readonly item: Item;
  readonly size: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** How groups are made. */
export interface GroupOptions {
  /** A group starts at most so often: what comes meanwhile waits and shares it. The first after a pause waits for nothing. */
  readonly everyMs: number;
  /** A group takes no more than this, by the sizes that `add` was given; one larger item goes alone. */
  readonly maxSize: number;
}

/**
 * Work that is cheaper together: items that come while a group is being worked on form the next one. `work` gets them in
 * the order of their arrival and gives one result for each; when it throws, all of the group fail with it.
 */
export class GroupCommit<Item, Result> {
  private readonly work: (items: readonly Item[]) => Promise<readonly Result[]>;
  private readonly options: GroupOptions;
  private waiting: Waiting<Item, Result>[] = [];
  private running = false;
  private lastStartMs = Number.NEGATIVE_INFINITY;
  private readonly hurry = new AbortController();

  constructor(work: (items: readonly Item[]) => Promise<readonly Result[]>, options: GroupOptions) {
    this.work = work;
    this.options = options;
  }

  add(item: Item, size: number): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.waiting.push({ item, size, resolve, reject });
    if (!this.running) void this.run();
    return promise;
  }

  /** From now on groups follow each other without pauses: before an end. */
  hasten(): void {
    this.hurry.abort();
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.waiting.length > 0) {
      await this.pause();
      this.lastStartMs = performance.now();
      await this.workOff(this.takeGroup());
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

  private takeGroup(): readonly Waiting<Item, Result>[] {
    let size = 0;
    const end = this.waiting.findIndex((next, index) => {
      size += next.size;
      return index > 0 && size > this.options.maxSize;
    });
    return this.waiting.splice(0, end < 0 ? this.waiting.length : end);
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
