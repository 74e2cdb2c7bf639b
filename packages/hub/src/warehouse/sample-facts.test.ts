import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeSampleColumns, encodeBatch, type SampleRow } from "@plimsoll/contracts/wire";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Duck, queryRows } from "./duck.ts";
import { SAMPLE_SELECT, sampleHours, stageSamples } from "./sample-facts.ts";

const HOUR = Date.UTC(2026, 2, 14, 9);
const WINDOW_MS = 300_000;
const COLUMNS = ["scope", "subject", "resource"] as const;

let folder: string;
let duck: Duck;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "plimsoll-staged-"));
  duck = await Duck.open({ temporaryFolder: folder, memoryMegabytes: 64, threads: 1 });
});

afterAll(() => {
  duck.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Rows where each column may hold one number throughout, or not; readings 0 stand for unknown figures. */
const rowsOfBatch: fc.Arbitrary<readonly SampleRow[]> = fc
  .record({ steady: fc.boolean(), count: fc.integer({ min: 0, max: 30 }) })
  .chain(({ steady, count }) => {
    const one = fc.record({
      subject: fc.constantFrom("6f1c1f4e-8a56-4c0e-9f0a-3b2d5c7e9a11", "node-b", "ns-ü"),
      resource: fc.constantFrom("cpu", "memory"),
      window: steady ? fc.constant(3) : fc.nat(30),
      requested: steady ? fc.constant(5) : fc.option(fc.maxSafeNat(), { nil: null }),
      readings: steady ? fc.constant(5) : fc.nat(5),
      usedMin: fc.nat(1000),
      apart: fc.nat(1000),
    });
    return fc.array(one, { minLength: count, maxLength: count });
  })
  .map((rows) =>
    rows.map(({ subject, resource, window, requested, readings, usedMin, apart }) => ({
      scope: subject === "ns-ü" ? "namespace" : "node",
      subject,
      resource,
      windowStartMs: HOUR + window * WINDOW_MS,
      windowMs: WINDOW_MS,
      requested,
      usedMin: readings > 0 ? usedMin : null,
      usedAvg: readings > 0 ? usedMin + apart : null,
      usedMax: readings > 0 ? usedMin + 2 * apart : null,
      readings,
    })),
  );

describe("samples on their way into a file", () => {
  test("are the rows that were sent, each with the key of its batch, whatever columns stay the same", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rowsOfBatch, { minLength: 1, maxLength: 4 }), async (sent) => {
        const batches = sent.map((rows, index) => batchOf(`cluster-${index % 2}`, index + 1, rows));
        const stored = await duck.use(async (connection) => {
          for (const [name, table] of Object.entries(stageSamples(batches))) await table.load(connection, name);
          return queryRows(connection, SAMPLE_SELECT);
        });
        const rows = stored.map((row) => ({
          key: `${row.text("cluster_id")}/${row.number("incarnation")}/${row.text("spool_id")}/${row.number("sequence")}`,
          ...Object.fromEntries(COLUMNS.map((column) => [column, row.text(column)])),
          windowStartMs: row.number("window_start_ms"),
          windowMs: row.number("window_ms"),
          requested: row.numberOrNull("requested"),
          usedMin: row.numberOrNull("used_min"),
          usedAvg: row.numberOrNull("used_avg"),
          usedMax: row.numberOrNull("used_max"),
          readings: row.number("readings"),
        }));
        const expected = sent.flatMap((ofBatch, index) =>
          ofBatch.map((row) => ({ key: `cluster-${index % 2}/2/spool/${index + 1}`, ...row })),
        );
        expect(sorted(rows)).toEqual(sorted(expected));
      }),
      { numRuns: 25 },
    );
  });

  test("are counted by hour and cluster without asking the engine", () => {
    const at = (window: number): SampleRow => ({ ...ROW, windowStartMs: HOUR + window * WINDOW_MS });
    const batches = [batchOf("a", 1, [at(0), at(11), at(12)]), batchOf("b", 1, [at(12)]), batchOf("a", 2, [at(13)])];
    expect(sampleHours(batches)).toEqual([
      { hourStartMs: HOUR, rows: 2, clusterIds: new Set(["a"]) },
      { hourStartMs: HOUR + 3_600_000, rows: 3, clusterIds: new Set(["a", "b"]) },
    ]);
  });
});

const ROW: SampleRow = {
  scope: "node",
  subject: "node-b",
  resource: "cpu",
  windowStartMs: HOUR,
  windowMs: WINDOW_MS,
  requested: 1,
  usedMin: 1,
  usedAvg: 2,
  usedMax: 3,
  readings: 5,
};

function batchOf(clusterId: string, sequence: number, rows: readonly SampleRow[]) {
  const key = { clusterId, incarnation: 2, spoolId: "spool", sequence };
  return {
    key,
    facts: { kind: "sample" as const, blocks: decodeSampleColumns(encodeBatch({ kind: "sample", rows })) },
  };
}

function sorted<T>(rows: readonly T[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row, Object.keys(row as object).toSorted())).toSorted();
}
