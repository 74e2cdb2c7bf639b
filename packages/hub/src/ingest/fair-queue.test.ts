import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairQueue, type QueuePlace } from "./fair-queue.ts";

/** `A1` … by cluster: upper-case letters are live, lower-case ones are back-fill. */
function queueOf(items: readonly string[], size = 1): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const item of items) queue.add(item, size, placeOf(item));
  return queue;
}

function placeOf(item: string): QueuePlace {
  const letter = item.charAt(0);
  return { member: letter.toLowerCase(), lane: letter === letter.toUpperCase() ? "live" : "backfill" };
}

function groups(queue: FairQueue<string>, maxSize: number): string[] {
  const taken: string[] = [];
  while (queue.length > 0) taken.push(queue.take(maxSize).join(" "));
  return taken;
}

describe("a queue that is shared fairly", () => {
  it.each<[string, readonly string[], number, readonly string[]]>([
    ["lets members take turns, each in its own order", ["A1", "A2", "A3", "B1", "C1"], 3, ["A1 B1 C1", "A2 A3"]],
    ["puts live facts ahead of back-fill", ["a1", "a2", "a3", "B1"], 4, ["B1 a1 a2 a3"]],
    ["keeps a quarter for back-fill", ["a1", "a2", "A1", "A2", "A3", "A4", "A5"], 4, ["A1 A2 A3 a1", "A4 A5 a2"]],
    ["gives what one lane leaves to the other", ["a1", "A1", "A2", "A3", "A4"], 8, ["A1 A2 A3 A4 a1"]],
    ["fills groups with back-fill alone", ["a1", "b1", "a2"], 2, ["a1 b1", "a2"]],
  ])("%s", (_, items, maxSize, expected) => {
    expect(groups(queueOf(items), maxSize)).toEqual(expected);
  });

  it("shares by size, not by number, and lets a larger item go alone", () => {
    const queue = new FairQueue<string>();
    for (const [item, size] of [
      ["A1", 50],
      ["B1", 3],
      ["C1", 3],
      ["D1", 2],
    ] as const)
      queue.add(item, size, placeOf(item));
    expect(groups(queue, 5)).toEqual(["A1", "B1", "C1 D1"]);
  });

  it("lets back-fill that never fits behind live facts begin the next group", () => {
    const queue = queueOf(["A1", "A2", "A3", "A4", "A5", "A6"]);
    queue.add("b1", 50, placeOf("b1"));
    expect(groups(queue, 4)).toEqual(["A1 A2 A3 A4", "b1", "A5 A6"]);
  });

  it("loses nothing, repeats nothing, keeps each member's order, and starves nobody", () => {
    const item = fc.record({
      member: fc.constantFrom("a", "b", "c"),
      isLive: fc.boolean(),
      size: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 60 }), fc.integer({ min: 1, max: 12 }), (items, maxSize) => {
        const queue = new FairQueue<(typeof items)[number]>();
        for (const each of items)
          queue.add(each, each.size, { member: each.member, lane: each.isLive ? "live" : "backfill" });
        const taken: (typeof items)[number][] = [];
        while (queue.length > 0) {
          const before = queue.length;
          const group = queue.take(maxSize);
          expect(group.length).toBeGreaterThan(0);
          expect(queue.length).toBe(before - group.length);
          if (group.length > 1) expect(group.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(maxSize);
          taken.push(...group);
        }
        for (const member of ["a", "b", "c"]) {
          for (const isLive of [true, false]) {
            const of = (list: typeof items) => list.filter((each) => each.member === member && each.isLive === isLive);
            expect(of(taken)).toEqual(of(items));
          }
        }
      }),
    );
  });
});
