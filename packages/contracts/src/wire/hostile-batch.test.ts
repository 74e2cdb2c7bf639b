import { create, type DescMessage, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { PlimsollError } from "../errors.ts";
import {
  ColumnSchema,
  GapBatchSchema,
  NodeBatchSchema,
  SampleBatchSchema,
  UsageBatchSchema,
  UsageResourceSchema,
} from "../gen/plimsoll/v1/batch_pb.ts";
import { type Batch, decodeBatch, encodeBatch } from "./batch.ts";
import type { BatchKind } from "./envelope.ts";
import { DEFAULT_WIRE_LIMITS, type WireLimits } from "./limits.ts";
import { EXAMPLE_BATCHES } from "./testing/example-rows.ts";

/** What a hostile or broken sender may do to a good batch, and how the reader answers. */

const YEAR_1 = -62_135_596_800_000n;
const YEAR_3000 = BigInt(Date.UTC(3000, 0, 1));
const HOUR = BigInt(Date.UTC(2026, 0, 15, 8));
const SMALL: WireLimits = {
  ...DEFAULT_WIRE_LIMITS,
  maxRows: 10,
  maxDictionaryEntries: 20,
  maxTextBytes: 60,
};

type Usage = MessageShape<typeof UsageBatchSchema>;
type Node = MessageShape<typeof NodeBatchSchema>;
type Sample = MessageShape<typeof SampleBatchSchema>;
type Gap = MessageShape<typeof GapBatchSchema>;

const plain = (...values: bigint[]) => create(ColumnSchema, { plain: values });
const delta = (...values: bigint[]) => create(ColumnSchema, { delta: values });
const constant = (value: bigint, step = 0n) => create(ColumnSchema, { constant: value, step });

test.each<[string, string, RegExp, (batch: Usage) => void]>([
  // Dictionaries
  ["a million dictionary entries", "batch_too_large", /fields/, (b) => (b.dictionary = Array(1_000_000).fill("a"))],
  ["more entries than allowed", "batch_too_large", /dictionary entries/, (b) => (b.dictionary = Array(21).fill("a"))],
  ["a text that is too long", "batch_too_large", /text bytes/, (b) => b.dictionary.push("x".repeat(61))],
  ["a text index past the dictionary", "batch_invalid", /pod_name 99/, (b) => (b.podNameText = plain(1n, 99n))],
  ["no pod name", "batch_invalid", /pod_name is absent/, (b) => (b.podNameText = undefined)],
  ["an identifier index past the table", "batch_invalid", /pod_uid/, (b) => (b.podUid = plain(0n, 7n))],
  ["a node index past the table", "batch_invalid", /node_uid/, (b) => (b.nodeUid = plain(0n, 99n))],
  ["an index that is the table's length", "batch_invalid", /attribution/, (b) => (b.attribution = plain(0n, 2n))],
  ["rows without an attribution table", "batch_invalid", /attribution/, (b) => (b.attributions = undefined)],
  ["rows without identifiers", "batch_invalid", /pod_uid/, (b) => (b.identifiers = undefined)],
  ["UUIDs that end in the middle", "batch_invalid", /uuids/, (b) => set(b.identifiers, { uuids: new Uint8Array(17) })],
  ["more labels than sets name", "batch_invalid", /label_sets.size/, (b) => set(b.labelSets, { size: constant(1n) })],
  ["fewer labels than sets name", "batch_invalid", /label_sets.size/, (b) => set(b.labelSets, { size: constant(3n) })],
  [
    "an unknown label source",
    "batch_invalid",
    /label_source 9/,
    (b) => set(b.attributions, { labelSource: constant(9n) }),
  ],
  ["an unknown mode", "batch_invalid", /mode 7/, (b) => (b.mode = constant(7n))],
  // Shape
  ["a column that is too short", "batch_invalid", /as_of has fewer/, (b) => (b.asOfMs = plain(HOUR))],
  ["a column that is too long", "batch_invalid", /as_of has more/, (b) => (b.asOfMs = plain(HOUR, HOUR, HOUR))],
  ["a column of no form", "batch_invalid", /exactly one/, (b) => (b.asOfMs = create(ColumnSchema))],
  [
    "a column of two forms",
    "batch_invalid",
    /exactly one/,
    (b) => (b.asOfMs = create(ColumnSchema, { plain: [HOUR, HOUR], constant: HOUR })),
  ],
  ["4 billion rows of constants", "batch_too_large", /rows/, (b) => (b.rows = 0xffff_ffff)],
  ["fewer rows than its columns", "batch_invalid", /has more than 1/, (b) => (b.rows = 1)],
  ["a row index past the rows", "batch_invalid", /resources.row/, (b) => (resource(b, 0).row = plain(2n))],
  [
    "a row that has a resource twice",
    "batch_invalid",
    /ascending/,
    (b) => Object.assign(resource(b, 0), { rows: 2, row: plain(1n, 1n), request: constant(1n) }),
  ],
  ["a resource that comes twice", "batch_invalid", /comes more than once/, (b) => b.resources.push(resource(b, 0))],
  ["65 resources", "batch_too_large", /resources/, (b) => (b.resources = Array(65).fill(resource(b, 0)))],
  // Numbers
  ["a negative count", "batch_invalid", /billed/, (b) => (b.billedMs = delta(5n, -6n))],
  ["a number of 64 bits", "batch_invalid", /request/, (b) => (resource(b, 0).request = plain(2n ** 64n - 1n))],
  [
    "a sum beyond 63 bits",
    "batch_invalid",
    /request/,
    (b) => Object.assign(resource(b, 0), { rows: 0, row: undefined, request: delta(2n ** 62n, 2n ** 62n) }),
  ],
  ["a constant of 64 bits", "batch_invalid", /request/, (b) => (resource(b, 0).request = constant(2n ** 63n))],
  [
    "a step that leads beyond 63 bits",
    "batch_invalid",
    /request/,
    (b) => (resource(b, 0).request = create(ColumnSchema, { plain: [3n], step: 2n ** 62n })),
  ],
  [
    "a constant step that leads beyond 63 bits",
    "batch_invalid",
    /request/,
    (b) => (resource(b, 0).request = constant(2n ** 60n, 2n ** 60n)),
  ],
  [
    "more than an hour billed in an hour",
    "batch_invalid",
    /billed 3600001/,
    (b) => (b.billedMs = constant(3_600_001n)),
  ],
  [
    "more than an hour covered in an hour",
    "batch_invalid",
    /usage_covered/,
    (b) => (resource(b, 0).usageCoveredMs = constant(3_600_001n)),
  ],
  ["a flag that is 2", "batch_invalid", /clamped/, (b) => (b.clamped = constant(2n))],
  // Time
  ["the year 1", "batch_invalid", /interval_start/, (b) => (b.intervalStartMs = delta(YEAR_1, 0n))],
  ["the year 1970", "batch_time_invalid", /interval_start 1970/, (b) => (b.intervalStartMs = undefined)],
  ["the year 3000", "batch_time_invalid", /interval_start 3000/, (b) => (b.intervalStartMs = constant(YEAR_3000))],
  [
    "the year 287,396",
    "batch_time_invalid",
    /interval_end 9007199254740991/,
    (b) => (b.intervalEndMs = constant(2n ** 53n - 1n)),
  ],
  ["an hour of the year 3000", "batch_time_invalid", /hour_start/, (b) => (b.hourStartMs = constant(YEAR_3000))],
  ["an hour that is none", "batch_invalid", /hour_start/, (b) => (b.hourStartMs = constant(HOUR + 1n))],
  ["a row from after its hour", "batch_invalid", /as_of/, (b) => (b.asOfMs = constant(HOUR + 3_600_001n))],
  ["a row from before its hour", "batch_invalid", /as_of/, (b) => (b.asOfMs = constant(HOUR - 1n))],
  [
    "an end 5.001 s before its start",
    "batch_time_invalid",
    /interval_end .* more than 5 s/,
    (b) => ends(b, HOUR - 5_001n),
  ],
])("usage with %s is refused as %s", (_, code, message, change) => {
  expect(refusal("usage", UsageBatchSchema, change)).toMatchObject({ code, message: expect.stringMatching(message) });
});

test.each<[string, string, (batch: Node) => void]>([
  ["deleted 6 s before it was made", "batch_time_invalid", (b) => (b.deletedMs = constant(HOUR - 1_006_000n))],
  ["made in the year 3000", "batch_time_invalid", (b) => (b.createdMs = constant(YEAR_3000))],
  ["present for more than the hour", "batch_invalid", (b) => (b.presentMs = constant(3_600_001n))],
  ["schedulable for more than the hour", "batch_invalid", (b) => (b.schedulableMs = constant(3_600_001n))],
  ["without a name", "batch_invalid", (b) => (b.nodeNameText = undefined)],
  ["of capacity beyond 63 bits", "batch_invalid", (b) => set(b.resources[0], { capacity: constant(2n ** 63n) })],
])("a node %s is refused as %s", (_, code, change) => {
  expect(refusal("node", NodeBatchSchema, change)).toMatchObject({ code });
});

test.each<[string, string, (batch: Sample) => void]>([
  ["blocks that have fewer rows than the batch", "batch_invalid", (b) => (b.rows = 4)],
  ["blocks that have more rows than the batch", "batch_invalid", (b) => (b.rows = 2)],
  ["an unknown scope", "batch_invalid", (b) => Object.assign(block(b), { scope: 9 })],
  ["a subject past the table", "batch_invalid", (b) => (block(b).subject = constant(9n))],
  ["a window of no length", "batch_invalid", (b) => (block(b).windowMs = undefined)],
  ["a window of more than a day", "batch_invalid", (b) => (block(b).windowMs = constant(86_400_001n))],
  ["a window that is not aligned", "batch_invalid", (b) => (block(b).windowStartMs = constant(HOUR + 1n))],
  ["a window of the year 3000", "batch_time_invalid", (b) => (block(b).windowStartMs = constant(YEAR_3000))],
  ["a minimum below 0", "batch_invalid", (b) => (block(b).usedBelow = constant(10n ** 12n))],
  ["a maximum beyond 53 bits", "batch_invalid", (b) => (block(b).usedAbove = constant(2n ** 53n - 1n))],
  ["an average beyond 53 bits", "batch_invalid", (b) => (block(b).usedAvg = constant(2n ** 53n))],
  [
    "a step beyond 53 bits",
    "batch_invalid",
    (b) => (block(b).usedAvg = create(ColumnSchema, { plain: [1n, 2n], step: 2n ** 53n })),
  ],
])("samples with %s are refused as %s", (_, code, change) => {
  expect(refusal("sample", SampleBatchSchema, change)).toMatchObject({ code });
});

test.each<[string, string, (batch: Gap) => void]>([
  ["ends 6 s before it starts", "batch_time_invalid", (b) => (b.endMs = constant(HOUR - 7_206_000n))],
  ["has no reason", "batch_invalid", (b) => (b.reasonText = undefined)],
  ["has a sentence as its reason", "batch_invalid", (b) => (b.dictionary[0] = "The disk was full")],
  ["lost more than can be counted", "batch_invalid", (b) => (b.lostRows = constant(2n ** 53n))],
  ["lost batches in the wrong order", "batch_invalid", (b) => (b.firstSequence = constant(15n))],
])("a gap that %s is refused as %s", (_, code, change) => {
  expect(refusal("gap", GapBatchSchema, change)).toMatchObject({ code });
});

test("an end 5 s before its start is moved to the start and flagged", () => {
  const bytes = changed("usage", UsageBatchSchema, (batch) => ends(batch, HOUR - 5_000n));
  const batch = decodeBatch("usage", bytes, DEFAULT_WIRE_LIMITS);
  expect(batch.rows[0]).toMatchObject({ intervalStartMs: Number(HOUR), intervalEndMs: Number(HOUR), clamped: true });
});

test.each<[string, string, readonly number[]]>([
  ["a varint of eleven bytes", "batch_invalid", [0x08, ...Array(10).fill(0xff), 0x01]],
  ["a field number of 0", "batch_invalid", [0x00, 0x01]],
  ["a group that does not end", "batch_invalid", [0x0b]],
  ["groups inside groups", "batch_invalid", Array(10_000).fill(0x0b)],
  ["a length past the end", "batch_invalid", [0x12, 0xff, 0xff, 0xff, 0xff, 0x07]],
  ["rows as text", "batch_invalid", [0x0a, 0x01, 0x31]],
  ["a column as number", "batch_invalid", [0x08, 0x01, 0x50, 0x01]],
  ["rows twice", "batch_invalid", [0x08, 0x01, 0x08, 0x01]],
  ["a column twice", "batch_invalid", [0x08, 0x00, 0x52, 0x02, 0x18, 0x01, 0x52, 0x02, 0x18, 0x01]],
  ["a text that is no UTF-8", "batch_invalid", [0x08, 0x01, 0x12, 0x02, 0xc3, 0x28]],
  ["packed numbers that are cut", "batch_invalid", [0x08, 0x01, 0x52, 0x03, 0x0a, 0x01, 0x80]],
  [
    "a packed number whose 65th bit is set",
    "batch_invalid",
    [0x08, 0x01, 0x52, 0x0c, 0x0a, 0x0a, ...Array(9).fill(0x80), 0x02],
  ],
  [
    "a packed number of more than 64 bits",
    "batch_invalid",
    [0x08, 0x01, 0x52, 0x0c, 0x0a, 0x0a, ...Array(9).fill(0xff), 0x7f],
  ],
])("bytes with %s are refused as %s", (_, code, bytes) => {
  for (const kind of ["usage", "node", "gap"] as const) {
    expect(attempt(kind, Uint8Array.from(bytes), DEFAULT_WIRE_LIMITS)).toMatchObject({ code });
  }
});

test("a batch of more bytes than allowed is refused before it is read", () => {
  const limits = { ...DEFAULT_WIRE_LIMITS, maxRawBytes: 10 };
  expect(attempt("usage", new Uint8Array(11), limits)).toMatchObject({ code: "batch_too_large" });
});

test("a small message cannot take much memory: constants of many rows count as cells", () => {
  const bytes = changed("usage", UsageBatchSchema, (batch) => {
    Object.assign(batch, { rows: 50_000, intervalEndMs: undefined, nodeUid: undefined });
    batch.podUid = constant(0n);
    batch.podNameText = batch.nodeNameText = constant(1n);
    batch.attribution = constant(0n);
    batch.intervalStartMs = batch.hourStartMs = batch.asOfMs = constant(HOUR);
    batch.billedMs = batch.unseenMs = constant(0n);
    batch.dictionary.push(...Array.from({ length: 64 }, (_, n) => `resource-${n}`));
    batch.resources = Array.from({ length: 64 }, (_, n) => create(UsageResourceSchema, { resourceText: n + 1 }));
  });
  expect(bytes.length).toBeLessThan(3_000);
  const before = process.memoryUsage().arrayBuffers;
  const error = attempt("usage", bytes, DEFAULT_WIRE_LIMITS);
  expect(error).toMatchObject({ code: "batch_too_large", message: expect.stringMatching(/cells/) });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30 * 1024 * 1024);
});

test("cut or bent at any byte, a batch is read or refused with a code, never anything else", () => {
  let refused = 0;
  for (const example of EXAMPLE_BATCHES) {
    const bytes = encodeBatch(example);
    for (let at = 0; at < bytes.length; at += 1) {
      if (attempt(example.kind, bytes.subarray(0, at), DEFAULT_WIRE_LIMITS)) refused += 1;
      for (const bits of [0x01, 0x80, 0xff]) {
        const bent = Uint8Array.from(bytes);
        bent[at] = (bent[at] ?? 0) ^ bits;
        if (attempt(example.kind, bent, DEFAULT_WIRE_LIMITS)) refused += 1;
      }
    }
  }
  expect(refused).toBeGreaterThan(1_000);
});

function refusal<S extends DescMessage>(
  kind: BatchKind,
  schema: S,
  change: (message: MessageShape<S>) => void,
): PlimsollError | undefined {
  return attempt(kind, changed(kind, schema, change), SMALL);
}

/** The refusal of a batch, undefined when it is read; any other error fails the test. */
function attempt(kind: BatchKind, bytes: Uint8Array, limits: WireLimits): PlimsollError | undefined {
  try {
    decodeBatch(kind, bytes, limits);
    return undefined;
  } catch (error) {
    if (error instanceof PlimsollError && error.code.startsWith("batch_")) return error;
    throw error;
  }
}

function changed<S extends DescMessage>(
  kind: BatchKind,
  schema: S,
  change: (message: MessageShape<S>) => void,
): Uint8Array {
  const message = fromBinary(schema, encodeBatch(example(kind)));
  change(message);
  return toBinary(schema, message);
}

function example(kind: BatchKind): Batch {
  const found = EXAMPLE_BATCHES.find((batch) => batch.kind === kind);
  if (!found) throw new Error(`no example of ${kind}`);
  return found;
}

function resource(batch: Usage, index: number): Usage["resources"][number] {
  const found = batch.resources[index];
  if (!found) throw new Error("no resource");
  return found;
}

function block(batch: Sample): Sample["blocks"][number] {
  const found = batch.blocks[0];
  if (!found) throw new Error("no block");
  return found;
}

function set<T extends object>(target: T | undefined, values: Partial<T>): void {
  if (!target) throw new Error("nothing to change");
  Object.assign(target, values);
}

function ends(batch: Usage, endMs: bigint): void {
  batch.intervalStartMs = constant(HOUR);
  batch.intervalEndMs = constant(endMs);
}
