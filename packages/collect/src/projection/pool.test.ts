import { expect, test } from "vitest";
import { createPool, pooled } from "./pool.ts";

test("equal values become one, different ones stay apart", () => {
  const pool = createPool<Record<string, string>>();
  const first = { cpu: "1" };
  expect(pool(first)).toBe(first);
  expect(pool({ cpu: "1" })).toBe(first);
  expect(pool({ cpu: "2" })).not.toBe(first);
});

test("what was used lately survives, what was not is forgotten: a pool does not grow for ever", () => {
  const pool = createPool<{ id: number }>(10);
  const kept = pool({ id: -1 });
  const forgotten = pool({ id: -2 });
  for (let id = 0; id < 100; id += 1) {
    pool({ id });
    expect(pool({ id: -1 })).toBe(kept);
  }
  expect(pool({ id: -2 })).not.toBe(forgotten);
});

test("nothing stays nothing", () => {
  expect(pooled(createPool<string>(), undefined)).toBeUndefined();
  expect(pooled(createPool<string>(), "")).toBe("");
});
