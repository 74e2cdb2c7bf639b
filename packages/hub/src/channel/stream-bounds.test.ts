import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { busyPauseMs, STREAM_BOUNDS, windowFor } from "./stream-bounds.ts";

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

test.each([
  [0.99, 0.5, 0],
  [1, 0, 1_000],
  [1, 0.5, 5_500],
  [1.5, 0.5, 7_750],
  [50, 1, 19_000],
])(
  "a hub that holds %d of what it may asks a new stream, by the chance %d, to stay away for %i ms",
  (pressure, chance, ms) => {
    expect(busyPauseMs({ intake: { pressure }, random: () => chance })).toBe(ms);
  },
);
