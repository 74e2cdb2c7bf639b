/** How a loop runs. */
export interface LoopOptions<Result> {
  readonly pass: () => Promise<Result>;
  /** Shortest pause between passes; a pass that takes longer than a fifth of it is followed by five times its length. */
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

const PAUSE_FACTOR = 5;

/** Runs a pass again and again, one at a time. */
export class PricingLoop<Result> {
  private readonly options: LoopOptions<Result>;
  private running: Promise<Result> | null = null;
  private next: Promise<Result> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private stopped = true;

  constructor(options: LoopOptions<Result>) {
    this.options = options;
  }

  /** A pass that begins after this call: at once, or when the one that runs is over. */
  once(): Promise<Result> {
    if (this.running === null) return this.run();
    this.next ??= this.running.then(
      () => this.run(),
      () => this.run(),
    );
    return this.next;
  }

  start(): void {
    if (!this.stopped) return;
    this.stopped = false;
    void this.turn();
  }

  /** Resolves when the pass that runs is over. No pass begins by itself after it. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await Promise.allSettled([this.running, this.next]);
  }

  private run(): Promise<Result> {
    this.next = null;
    this.running = this.options.pass().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async turn(): Promise<void> {
    const begin = performance.now();
    await this.once().catch(this.options.onError);
    if (this.stopped) return;
    const pauseMs = Math.max(this.options.everyMs, PAUSE_FACTOR * (performance.now() - begin));
    this.timer = setTimeout(() => void this.turn(), pauseMs);
  }
}
