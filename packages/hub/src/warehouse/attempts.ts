/** Work in parts of which one that fails keeps none of the others. */
export class Attempts {
  readonly #failed: unknown[] = [];

  /** Does a part; undefined when it failed. */
  async at<T>(part: () => Promise<T>): Promise<T | undefined> {
    try {
      return await part();
    } catch (error) {
      this.#failed.push(...eachFailure(error));
      return undefined;
    }
  }

  /** Throws what failed: the only failure as it is, several as an `AggregateError`. */
  end(): void {
    const [first, ...others] = this.#failed;
    if (others.length > 0) throw new AggregateError(this.#failed, `${this.#failed.length} parts failed`);
    if (this.#failed.length > 0) throw first;
  }
}

/** The failures that an error of `Attempts` stands for. */
export function eachFailure(error: unknown): readonly unknown[] {
  return error instanceof AggregateError ? error.errors : [error];
}
