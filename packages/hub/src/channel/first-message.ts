import type { Clock } from "@plimsoll/collect";
import { PlimsollError } from "@plimsoll/contracts";
import type { Inbox } from "./inbox.ts";
import type { Received } from "./received.ts";
import { STREAM_BOUNDS } from "./stream-bounds.ts";

/** The first message of a stream; null = the peer went away. Throws `hello_missing`, or why it cannot be read. */
export async function firstMessage<M>(inbox: Inbox<Received<M>>, clock: Clock): Promise<M | null> {
  let cancel: () => void = () => {};
  const late = new Promise<never>((_, reject) => {
    const { helloWithinMs } = STREAM_BOUNDS;
    const reason = `nothing came for ${helloWithinMs / 1000} s`;
    cancel = clock.setTimer(helloWithinMs, () => reject(new PlimsollError("hello_missing", { reason })));
  });
  try {
    const received = await Promise.race([inbox.next(), late]);
    if (received === null) return null;
    received.release();
    if ("fault" in received) throw received.fault;
    return received.message;
  } finally {
    cancel();
  }
}
