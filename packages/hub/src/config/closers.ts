/** What is to be undone, newest first: each step once, and one that fails does not keep the others. */
export class Closers {
  readonly #steps: { readonly name: string; readonly close: () => Promise<void> | void }[] = [];
  readonly #failed: (name: string, error: unknown) => void;
  #running: Promise<void> | null = null;

  constructor(failed: (name: string, error: unknown) => void) {
    this.#failed = failed;
  }

  add(name: string, close: () => Promise<void> | void): void {
    this.#steps.push({ name, close });
  }

  /** Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#runAll();
    return this.#running;
  }

  async #runAll(): Promise<void> {
    for (const { name, close } of this.#steps.reverse()) {
      try {
        await close();
      } catch (error) {
        this.#failed(name, error);
      }
    }
  }
}
