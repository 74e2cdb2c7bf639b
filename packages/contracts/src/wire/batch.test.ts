import { type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GapBatchSchema, NodeBatchSchema, SampleBatchSchema, UsageBatchSchema } from "../gen/plimsoll/v1/batch_pb.ts";
import { type Batch, decodeBatch, encodeBatch } from "./batch.ts";
import type { BatchKind } from "./envelope.ts";
import type { GapRow } from "./gap-row.ts";
import { DEFAULT_WIRE_LIMITS } from "./limits.ts";
import type { SampleRow } from "./sample-row.ts";
import { arbitraryRows } from "./testing/arbitrary-rows.ts";
import { EXAMPLE_BATCHES } from "./testing/example-rows.ts";

const SCHEMAS: Readonly<Record<BatchKind, DescMessage>> = {
  usage: UsageBatchSchema,
  node: NodeBatchSchema,
  sample: SampleBatchSchema,
  gap: GapBatchSchema,
};

const anyBatch: fc.Arbitrary<Batch> = fc.oneof(
  arbitraryRows.usage.map((rows): Batch => ({ kind: "usage", rows })),
  arbitraryRows.node.map((rows): Batch => ({ kind: "node", rows })),
  arbitraryRows.gap.map((rows): Batch => ({ kind: "gap", rows })),
  arbitraryRows.sample.map((rows): Batch => ({ kind: "sample", rows: grouped(rows) })),
);

test("rows of every kind come back as they were, to the last unit", () => {
  fc.assert(
    fc.property(anyBatch, (batch) => {
      expect(decodeBatch(batch.kind, encodeBatch(batch), DEFAULT_WIRE_LIMITS)).toEqual(batch);
    }),
    { numRuns: 600 },
  );
});

test("a batch that any protobuf library wrote from the schema reads the same", () => {
  fc.assert(
    fc.property(anyBatch, (batch) => {
      const schema = SCHEMAS[batch.kind];
      const message = fromBinary(schema, encodeBatch(batch));
      expect(message.$unknown).toBeUndefined();
      expect(decodeBatch(batch.kind, toBinary(schema, message), DEFAULT_WIRE_LIMITS)).toEqual(batch);
    }),
    { numRuns: 200 },
  );
});

test("a field of a later release does not keep a batch from being read", () => {
  for (const batch of EXAMPLE_BATCHES) {
    // Fields 1000 (varint) and 1001 (bytes).
    const later = Buffer.from([0xc0, 0x3e, 0x05, 0xca, 0x3e, 0x02, 0x01, 0x02]);
    expect(decodeBatch(batch.kind, Buffer.concat([encodeBatch(batch), later]), DEFAULT_WIRE_LIMITS)).toEqual(batch);
  }
});

test("texts come back byte for byte: marks at their start, letters of every script, what looks like code", () => {
  const row = EXAMPLE_BATCHES[3]?.rows[0] as GapRow;
  for (const detail of ["\ufeffmarked", "成本中心", "🚢", "a\u0000b", "__proto__", ""]) {
    const batch: Batch = { kind: "gap", rows: [{ ...row, detail }] };
    expect(decodeBatch("gap", encodeBatch(batch), DEFAULT_WIRE_LIMITS)).toEqual(batch);
  }
});

describe("writing refuses", () => {
  const usage = EXAMPLE_BATCHES.find((batch) => batch.kind === "usage");
  const row = usage?.rows[0];
  test.each([
    ["a negative length", { billedMs: -1 }, /usage.billed -1/],
    ["part of a millisecond", { asOfMs: 1.5 }, /usage.as_of 1.5/],
    ["what is no number", { intervalStartMs: Number.NaN }, /usage.interval_start NaN/],
    [
      "a negative integral",
      { resources: new Map([["cpu", { request: -1n, usage: 0n, charged: 0n, usageCoveredMs: 0 }]]) },
      /usage.resources.request -1/,
    ],
    [
      "an integral of 64 bits",
      { resources: new Map([["cpu", { request: 2n ** 63n, usage: 0n, charged: 0n, usageCoveredMs: 0 }]]) },
      /usage.resources.request 9223372036854775808/,
    ],
  ])("%s, naming the field", (_, change, message) => {
    if (!row) throw new Error("no example");
    expect(() => encodeBatch({ kind: "usage", rows: [{ ...row, ...change }] })).toThrow(message);
  });

  test("a minimum above the average", () => {
    const sample = EXAMPLE_BATCHES.find((batch) => batch.kind === "sample")?.rows[0];
    if (!sample) throw new Error("no example");
    expect(() => encodeBatch({ kind: "sample", rows: [{ ...sample, usedMin: 2_000_000_000 }] })).toThrow(/used_below/);
  });
});

/** As the batch gives them back: by scope and resource in order of first appearance, order within kept. */
function grouped(rows: readonly SampleRow[]): readonly SampleRow[] {
  return [...Map.groupBy(rows, (row) => `${row.scope} ${row.resource}`).values()].flat();
}
