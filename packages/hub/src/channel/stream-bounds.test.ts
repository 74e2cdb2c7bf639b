import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { STREAM_BOUNDS, windowFor } from "./stream-bounds.ts";

const PAGE = new URL("../../../../docs/reference/stream-bounds.md", import.meta.url);

test("the reference page names every bound with its value, and no other", () => {
  const rows = [...readFileSync(PAGE, "utf8").matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)];
  const written = Object.fromEntries(rows.map(([, name, value]) => [name, value]));
  const actual = Object.fromEntries(Object.entries(STREAM_BOUNDS).map(([name, value]) => [name, textOf(name, value)]));
  expect(written).toEqual(actual);
});

function textOf(name: string, value: number): string {
  if (name.includes("Bytes")) return value >= 1024 * 1024 ? `${value / 1024 / 1024} MiB` : `${value / 1024} KiB`;
  if (name.endsWith("Ms")) return value >= 3_600_000 ? `${value / 3_600_000} h` : `${value / 1_000} s`;
  return value.toLocaleString("en-US");
}

test.each([
  [1, { batches: 64, bytes: 8 * 1024 * 1024 }],
  [100, { batches: 40, bytes: 1_342_177 }],
  [500, { batches: 8, bytes: 268_435 }],
  [100_000, { batches: 8, bytes: 256 * 1024 }],
])("an agent of %i has its share of what a fleet may have on the way", (clusters, expected) => {
  expect(windowFor(clusters)).toEqual(expected);
});
