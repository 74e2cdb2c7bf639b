import { expect, test } from "vitest";
import { createRandom } from "../random/random.ts";
import { EventQueue } from "./event-queue.ts";

test("events come by time, those of one second in the order they were planned", () => {
  const queue = new EventQueue();
  const random = createRandom("queue");
  const seen: [number, number][] = [];
  for (let i = 0; i < 500; i++) {
    const at = random.integer(0, 50);
    queue.plan(at, () => seen.push([at, i]));
  }
  for (let event = queue.take(1_000); event; event = queue.take(1_000)) event.run();
  const sorted = [...seen].sort(([a, i], [b, j]) => a - b || i - j);
  expect(seen).toHaveLength(500);
  expect(seen).toEqual(sorted);
});

test("what is due later stays planned", () => {
  const queue = new EventQueue();
  queue.plan(10, () => undefined);
  expect(queue.take(9)).toBeUndefined();
  expect(queue.nextAt).toBe(10);
  expect(queue.take(10)?.at).toBe(10);
  expect(queue.size).toBe(0);
});
