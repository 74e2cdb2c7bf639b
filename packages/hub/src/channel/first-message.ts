import type { Clock } from "@plimsoll/collect";
import { PlimsollError } from "@plimsoll/contracts";
import type { Inbox } from "./inbox.ts";
import type { Received } from "./received.ts";
import { HELLO_WITHIN_MS } from "./stream-deps.ts";

/** The first message of a stream; null = the peer went away. Throws `hello_missing`, or why it cannot be read. */
export async function firstMessage<M>(inbox: Inbox<Received<M>>, clock: Clock): Promise<M | null> {
  let cancel: () => void = () => {};
  const late = new Promise<never>((_, reject) => {
    const reason = `nothing came for ${HELLO_WITHIN_MS / 1000} s`;
    cancel = clock.setTimer(HELLO_WITHIN_MS, () => reject(new PlimsollError("hello_missing", { reason })));
  });
  try {
    const received = await Promise.race([inbox.next(), late]);
    if (received === null) return null;
    if ("fault" in received) throw received.fault;
    return received.message;
  } finally {
    cancel();
  }
}
