import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { createManualClock } from "../../../collect/src/kube/testing/manual-clock.ts";
import { AnswerWriter } from "./answer-writer.ts";
import { STREAM_BOUNDS } from "./stream-bounds.ts";

/** A stream whose peer reads only when told. */
function slowPeer() {
  const held: (() => void)[] = [];
  const sink = new Writable({ objectMode: true, highWaterMark: 1, write: (_, __, done) => void held.push(done) });
  return { sink, read: () => held.shift()?.() };
}

test.each<[string, (peer: ReturnType<typeof slowPeer>) => void]>([
  ["reads", ({ read }) => read()],
  ["reads a stream that is being ended", ({ sink, read }) => [sink.end(), read()]],
  ["goes away", ({ sink }) => sink.destroy()],
])("whoever writes goes on when the peer %s", async (_, happens) => {
  const clock = createManualClock();
  const peer = slowPeer();
  let unread = 0;
  const writer = new AnswerWriter(peer.sink, clock, () => (unread += 1));
  const written = [writer.write("a"), writer.write("b")];
  happens(peer);
  peer.read();
  await Promise.all(written);
  clock.advance(STREAM_BOUNDS.answersWithinMs);
  expect(unread).toBe(0);
});

test("answers that are left unread are told of once, however many wait", () => {
  const clock = createManualClock();
  const { sink } = slowPeer();
  let unread = 0;
  const writer = new AnswerWriter(sink, clock, () => (unread += 1));
  for (let answer = 0; answer < 5; answer += 1) void writer.write(answer);
  clock.advance(STREAM_BOUNDS.answersWithinMs);
  expect(unread).toBe(1);
});
