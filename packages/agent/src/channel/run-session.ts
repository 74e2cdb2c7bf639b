import type { ClientDuplexStream } from "@grpc/grpc-js";
import type { Clock } from "@plimsoll/collect";
import { lostBy, type SessionEnd } from "./session-end.ts";

/** One stream with the time that it may be silent. */
export interface SessionStream<Up, Down> {
  readonly call: ClientDuplexStream<Up, Down>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A session's own part. */
export interface SessionHandler<Up, Down> {
  /** Called once, at the start. */
  begin(send: (message: Up) => boolean, end: (end: SessionEnd) => void): void;
  /** One message of the hub, one after the other; an end ends the session. */
  message(message: Down): Promise<SessionEnd | undefined>;
  /** After this long without a message the hub is taken to be gone, milliseconds. */
  silenceMs(): number;
  /** Frees timers. */
  close(): void;
}

/** Runs a session over a stream until either side ends it. Never rejects. */
export async function runSession<Up, Down>(
  { call, clock, signal }: SessionStream<Up, Down>,
  handler: SessionHandler<Up, Down>,
): Promise<SessionEnd> {
  let end: SessionEnd | undefined;
  const finish = (reason: SessionEnd): void => {
    end ??= reason;
    call.cancel();
  };
  const onAbort = (): void => finish(lostBy(signal.reason));
  const watch = (): (() => void) => {
    const ms = handler.silenceMs();
    return clock.setTimer(ms, () => finish({ kind: "lost", reason: `the hub was silent for ${ms / 1_000} s` }));
  };
  signal.addEventListener("abort", onAbort, { once: true });
  let stopWatch = watch();
  // A cancelled call fails once more after everybody has stopped listening to it.
  call.on("error", () => {});
  try {
    if (signal.aborted) onAbort();
    handler.begin((message) => call.write(message), finish);
    for await (const message of call) {
      stopWatch();
      end ??= await handler.message(message);
      if (end) break;
      stopWatch = watch();
    }
  } catch (error) {
    end ??= lostBy(error);
  } finally {
    stopWatch();
    handler.close();
    signal.removeEventListener("abort", onAbort);
    call.cancel();
  }
  return end ?? { kind: "lost", reason: "the hub ended the stream" };
}
