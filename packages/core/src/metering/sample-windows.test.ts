import { decodeSampleBatch, encodeSampleBatch } from "@plimsoll/contracts/wire";
import { describe, expect, test } from "vitest";
import type { Load } from "../capacity/cluster-loads.ts";
import { createSampleWindows } from "./sample-windows.ts";

const NOON = Date.UTC(2026, 0, 31, 12);
const MIB = 1_048_576n * 1_000_000_000n;

/** A load of millicores and MiB; used null = unknown. */
const load = (requested: number, used: number | null, more: Partial<Load> = {}): Load => ({
  scope: "node",
  subject: "uid-a",
  requested: new Map([["cpu", BigInt(requested) * 1_000_000n]]),
  used:
    used === null
      ? null
      : new Map([
          ["cpu", BigInt(used) * 1_000_000n],
          ["memory", BigInt(used) * MIB],
        ]),
  ...more,
});

describe("a window of five minutes", () => {
  test("tells minimum, average and maximum of its readings and the last request, cpu and memory apart", () => {
    const windows = createSampleWindows();
    windows.observe([load(500, 100)], NOON);
    windows.observe([load(500, 400)], NOON + 60_000);
    windows.observe([load(700, 100)], NOON + 299_999);
    windows.observe([load(900, 900)], NOON + 300_000);
    const rows = windows.take(NOON + 300_000);
    const common = { scope: "node", subject: "uid-a", windowStartMs: NOON, windowMs: 300_000, readings: 3 };
    expect(rows).toEqual([
      { ...common, resource: "cpu", requested: 700e6, usedMin: 100e6, usedAvg: 200e6, usedMax: 400e6 },
      {
        ...common,
        resource: "memory",
        requested: 0,
        usedMin: 100 * 2 ** 20,
        usedAvg: 200 * 2 ** 20,
        usedMax: 400 * 2 ** 20,
      },
    ]);
    expect(decodeSampleBatch(encodeSampleBatch(rows))).toEqual(rows);
  });

  test("says unknown, not zero, where nothing was read", () => {
    const windows = createSampleWindows();
    windows.observe([load(500, null, { requested: null })], NOON);
    expect(windows.take(NOON + 300_000)[0]).toMatchObject({
      requested: null,
      usedMin: null,
      usedAvg: null,
      readings: 0,
    });
  });

  test("is told once, when it is over, whatever comes late", () => {
    const windows = createSampleWindows();
    windows.observe([load(500, 100)], NOON + 1_000);
    expect(windows.take(NOON + 300_001)).toHaveLength(2);
    windows.observe([load(500, 100)], NOON + 2_000);
    expect(windows.take(NOON + 600_000)).toEqual([]);
    windows.observe([load(500, 100)], NOON + 601_000);
    expect(windows.take(NOON + 899_999)).toEqual([]);
  });

  test("is told as it is so far while it is the first one; each row stands for all before it", () => {
    const windows = createSampleWindows();
    const taken = [1, 2, 3].map((minute) => {
      windows.observe([load(500, 100 * minute)], NOON + minute * 60_000);
      return windows.take(NOON + minute * 60_000 + 1).find(({ resource }) => resource === "cpu");
    });
    const last = windows.take(NOON + 300_000).find(({ resource }) => resource === "cpu");
    const key = { scope: "node", subject: "uid-a", windowStartMs: NOON, windowMs: 300_000 };
    for (const row of [...taken, last]) expect(row).toMatchObject(key);
    expect([...taken, last].map((row) => [row?.readings, row?.usedAvg])).toEqual([
      [1, 100e6],
      [2, 150e6],
      [3, 200e6],
      [3, 200e6],
    ]);
  });

  test("has other resources only where something of them is requested", () => {
    const windows = createSampleWindows();
    const requested = new Map([
      ["nvidia.com/gpu", 2_000_000_000n],
      ["hugepages-2Mi", 0n],
    ]);
    windows.observe([load(0, null, { requested })], NOON);
    const rows = windows.take(NOON + 300_000);
    expect(rows.map((row) => [row.resource, row.requested])).toEqual([
      ["cpu", 0],
      ["memory", 0],
      ["nvidia.com/gpu", 2_000_000_000],
    ]);
  });
});
