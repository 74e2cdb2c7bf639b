import type { MeteredStream } from "./metered-calls.ts";
import { STREAM_BOUNDS } from "./stream-bounds.ts";

/** The streams that are being served: so many at once, and so many of one cluster. */
export class StreamPlaces {
  readonly #running = new Set<Promise<void>>();
  readonly #byCluster = new Map<string, number>();
  isClosed = false;

  /** Serves a stream unless there is no place for it; `serve` never rejects. */
  take(clusterId: string, serve: () => Promise<void>, stream: MeteredStream | undefined): boolean {
    const ofCluster = this.#byCluster.get(clusterId) ?? 0;
    if (this.isClosed || this.#running.size >= STREAM_BOUNDS.streams || ofCluster >= STREAM_BOUNDS.streamsOfCluster) {
      stream?.share.close();
      return false;
    }
    this.#byCluster.set(clusterId, ofCluster + 1);
    const served = serve().finally(() => {
      stream?.share.close();
      this.#running.delete(served);
      this.#leave(clusterId);
    });
    this.#running.add(served);
    return true;
  }

  /** From now on there is no place. */
  close(): void {
    this.isClosed = true;
  }

  /** Resolves when every stream has been served. */
  async empty(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  #leave(clusterId: string): void {
    const left = (this.#byCluster.get(clusterId) ?? 1) - 1;
    if (left > 0) this.#byCluster.set(clusterId, left);
    else this.#byCluster.delete(clusterId);
  }
}
