import type { Clock } from "@plimsoll/collect";
import { STREAM_BOUNDS } from "./stream-bounds.ts";

/** A stream that is being ended does not say that it is drained: it finishes. */
const EVENTS = ["drain", "finish", "close", "cancelled"] as const;

/** The part of a stream that answers are written to. */
interface AnswerSink<T> {
  readonly writable: boolean;
  write(message: T): boolean;
  on(event: (typeof EVENTS)[number], listener: () => void): unknown;
  off(event: (typeof EVENTS)[number], listener: () => void): unknown;
}

/** Writes answers at the pace of their reader. */
export class AnswerWriter<T> {
  readonly #sink: AnswerSink<T>;
  readonly #clock: Clock;
  readonly #onUnread: () => void;
  #draining: Promise<void> | undefined;

  /** `onUnread` hears once of each time that the peer leaves its answers unread for too long. */
  constructor(sink: AnswerSink<T>, clock: Clock, onUnread: () => void) {
    this.#sink = sink;
    this.#clock = clock;
    this.#onUnread = onUnread;
  }

  /** Resolves when the peer takes more, or is gone. */
  write(message: T): Promise<void> {
    if (!this.#sink.writable) return Promise.resolve();
    const isFull = !this.#sink.write(message);
    if (isFull) this.#draining ??= this.#untilDrained();
    return this.#draining ?? Promise.resolve();
  }

  #untilDrained(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.setTimer(STREAM_BOUNDS.answersWithinMs, this.#onUnread);
      const done = (): void => {
        cancel();
        this.#draining = undefined;
        for (const event of EVENTS) this.#sink.off(event, done);
        resolve();
      };
      for (const event of EVENTS) this.#sink.on(event, done);
    });
  }
}
