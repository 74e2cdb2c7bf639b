import { describe, expect, it } from "vitest";
import type { QueuePlace } from "./fair-queue.ts";
import { GroupCommit } from "./group-commit.ts";

const PLACE: QueuePlace = { member: "one", lane: "live" };

/** Work that ends when the test says so, and what groups it got. */
function handWork() {
  const groups: (readonly string[])[] = [];
  const ends: (() => void)[] = [];
  const work = async (items: readonly string[]): Promise<readonly string[]> => {
    groups.push(items);
    await new Promise<void>((resolve) => ends.push(resolve));
    return items.map((item) => item.toUpperCase());
  };
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { groups, work, end };
}

describe("group commit", () => {
  it("puts what comes during a group's work into the next one, and gives each its own result", async () => {
    const { groups, work, end } = handWork();
    const group = new GroupCommit(work, { everyMs: 0, maxSize: 10 });
    const results = ["a", "b", "c"].map((item) => group.add(item, 1, PLACE));
    await new Promise((resolve) => setImmediate(resolve));
    results.push(group.add("d", 1, PLACE));
    await end();
    await end();
    expect(await Promise.all(results)).toEqual(["A", "B", "C", "D"]);
    expect(groups).toEqual([["a", "b", "c"], ["d"]]);
  });

  it("keeps groups within their size, and lets a larger item go alone", async () => {
    const { groups, work, end } = handWork();
    const group = new GroupCommit(work, { everyMs: 0, maxSize: 5 });
    const results = [
      ["a", 3],
      ["b", 3],
      ["c", 2],
      ["huge", 50],
      ["d", 1],
    ] as const;
    const all = Promise.all(results.map(([item, size]) => group.add(item, size, PLACE)));
    for (let i = 0; i < 5; i += 1) await end();
    await all;
    expect(groups).toEqual([["a"], ["b", "c"], ["huge"], ["d"]]);
  });

  it("lets only the group fail whose work failed", async () => {
    const group = new GroupCommit<number, number>(
      async (items) => {
        if (items.includes(1)) throw new Error("no");
        return items;
      },
      { everyMs: 0, maxSize: 1 },
    );
    const results = await Promise.allSettled([group.add(1, 1, PLACE), group.add(2, 1, PLACE)]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });

  it("waits between groups, but not before the first, and not once it is to hasten", async () => {
    const groups: (readonly string[])[] = [];
    const group = new GroupCommit<string, string>(
      async (items) => {
        groups.push(items);
        return items;
      },
      { everyMs: 3_600_000, maxSize: 10 },
    );
    expect(await group.add("a", 1, PLACE)).toBe("a");
    const later = ["b", "c"].map((item) => group.add(item, 1, PLACE));
    await new Promise((resolve) => setImmediate(resolve));
    expect(groups).toEqual([["a"]]);
    group.hasten();
    expect(await Promise.all(later)).toEqual(["b", "c"]);
    expect(groups).toEqual([["a"], ["b", "c"]]);
    expect(await group.add("d", 1, PLACE)).toBe("d");
  });

  it("makes groups smaller where they take longer than they may, and larger again", async () => {
    const sizes: number[] = [];
    let slow = true;
    const group = new GroupCommit<number, number>(
      async (items) => {
        sizes.push(items.length);
        const end = performance.now() + (slow ? items.length / 10 : 0);
        while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
        return items;
      },
      { everyMs: 0, maxSize: 1_000, maxMs: 20 },
    );
    await Promise.all(Array.from({ length: 3_000 }, (_, item) => group.add(item, 1, PLACE)));
    expect(sizes[0]).toBe(1_000);
    expect(Math.min(...sizes.slice(1, -1))).toBeLessThan(700);
    slow = false;
    sizes.length = 0;
    await Promise.all(Array.from({ length: 5_000 }, (_, item) => group.add(item, 1, PLACE)));
    expect(Math.max(...sizes)).toBeGreaterThan(900);
  });
});
