import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { compressSync } from "snappy";
import { expect, test } from "vitest";
import { PlimsollError } from "../errors.ts";
import { EnvelopeSchema } from "../gen/plimsoll/v1/envelope_pb.ts";
import { encodeBatch } from "./batch.ts";
import { DEFAULT_WIRE_LIMITS } from "./limits.ts";
import { openEnvelope } from "./open-envelope.ts";
import { parseEnvelope } from "./parse-envelope.ts";
import { sealBatch } from "./seal-batch.ts";
import { sha256 } from "./sha256.ts";
import { EXAMPLE_BATCHES, EXAMPLE_FACTS, EXAMPLE_KEY } from "./testing/example-rows.ts";
import type { UsageRow } from "./usage-row.ts";

const MIB = 1024 * 1024;
const usage = EXAMPLE_BATCHES[0] ?? { kind: "usage" as const, rows: [] };

test.each(EXAMPLE_BATCHES)("a sealed batch of kind $kind opens to the same rows", (batch) => {
  const sealed = sealBatch(EXAMPLE_KEY, batch, { ...EXAMPLE_FACTS, replaces: { first: 3, last: 41 } });
  const received = parseEnvelope(Uint8Array.from(sealed.bytes));
  expect(received).toEqual(sealed);
  expect(received).toMatchObject({ key: EXAMPLE_KEY, ...EXAMPLE_FACTS, replaces: { first: 3, last: 41 } });
  expect(received.rows).toBe(batch.rows.length);
  expect(openEnvelope(received)).toEqual(batch);
});

test("the same rows under the same key seal to the same bytes and hash", () => {
  const [first, second] = [usage, structuredClone(usage)].map((batch) => sealBatch(EXAMPLE_KEY, batch, EXAMPLE_FACTS));
  expect(second?.bytes).toEqual(first?.bytes);
});

test("a large batch travels compressed, a small one as it is", () => {
  const rows = Array.from({ length: 500 }, (_, n) => ({ ...(usage.rows[0] as UsageRow), podName: `api-${n}` }));
  const large = sealBatch(EXAMPLE_KEY, { kind: "usage", rows }, EXAMPLE_FACTS);
  expect(large.codec).toBe("snappy");
  expect(large.payload.length).toBeLessThan(large.rawBytes / 2);
  expect(openEnvelope(large).rows).toEqual(rows);
  expect(sealBatch(EXAMPLE_KEY, { kind: "usage", rows: [] }, EXAMPLE_FACTS).codec).toBe("none");
});

test("what a later release added survives, forwarded as bytes or through a protobuf library", () => {
  const sealed = sealBatch(EXAMPLE_KEY, usage, EXAMPLE_FACTS);
  // Field 900 as text, field 901 as number.
  const later = Buffer.concat([sealed.bytes, Buffer.from([0xa2, 0x38, 0x03, 0x61, 0x62, 0x63, 0xa8, 0x38, 0x07])]);
  const received = parseEnvelope(later);
  expect(openEnvelope(received)).toEqual(usage);
  expect(Buffer.from(received.bytes)).toEqual(later);
  const again = toBinary(EnvelopeSchema, fromBinary(EnvelopeSchema, later));
  expect(Buffer.from(again)).toEqual(later);
});

test("an envelope of a kind or codec of a later release is forwarded, and refused only when opened", () => {
  const kind = parseEnvelope(envelopeWith({}, { kind: 99 }));
  expect(kind).toMatchObject({ kind: null, kindNumber: 99 });
  expect(refusalOf(() => openEnvelope(kind))).toMatchObject({ code: "batch_kind_unknown" });
  const codec = parseEnvelope(envelopeWith({}, { codec: 9 }));
  expect(codec).toMatchObject({ codec: null, codecNumber: 9 });
  expect(refusalOf(() => openEnvelope(codec))).toMatchObject({ code: "batch_codec_unknown" });
});

test("an agent whose clock stands at 1970 is measured, not refused", () => {
  expect(parseEnvelope(envelopeWith({ agentClockMs: -5n })).agentClockMs).toBe(-5);
});

const bomb = compressSync(Buffer.alloc(64 * MIB));
test.each<[string, string, MessageInitShape<typeof EnvelopeSchema>]>([
  ["no cluster", "batch_invalid", { clusterId: "" }],
  ["a cluster id with a slash", "batch_invalid", { clusterId: "a/../b" }],
  ["a cluster id of 129 letters", "batch_invalid", { clusterId: "a".repeat(129) }],
  ["no spool", "batch_invalid", { spoolId: "" }],
  ["a spool id with a path", "batch_invalid", { spoolId: "../x" }],
  ["sequence 0", "batch_invalid", { sequence: 0n }],
  ["a sequence beyond 53 bits", "batch_invalid", { sequence: 2n ** 53n }],
  ["no kind", "batch_kind_unknown", { kind: 0 }],
  ["no hash", "batch_invalid", { sha256: new Uint8Array() }],
  ["a short hash", "batch_invalid", { sha256: new Uint8Array(31) }],
  ["another hash", "batch_hash_mismatch", { sha256: new Uint8Array(32) }],
  ["sealed in the year 1", "batch_time_invalid", { sealedAtMs: -62_135_596_800_000n }],
  ["sealed in the year 3000", "batch_time_invalid", { sealedAtMs: BigInt(Date.UTC(3000, 0)) }],
  ["more rows than allowed", "batch_too_large", { rows: 50_001 }],
  ["other rows than its batch", "batch_invalid", { rows: 1 }],
  ["a batch larger than allowed", "batch_too_large", { rawBytes: 17 * MIB }],
  ["another size than its batch", "batch_invalid", { rawBytes: 5 }],
  ["no payload", "batch_invalid", { payload: new Uint8Array() }],
  ["a bomb that says so", "batch_too_large", { codec: 1, payload: bomb, rawBytes: 64 * MIB }],
  ["a bomb that says otherwise in its envelope", "batch_too_large", { codec: 1, payload: bomb }],
  ["a bomb that says otherwise in its block", "batch_invalid", { codec: 1, payload: lying(bomb, 100), rawBytes: 100 }],
  ["a block that says 4 GiB", "batch_too_large", { codec: 1, payload: Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f) }],
  ["a block whose length does not end", "batch_invalid", { codec: 1, payload: new Uint8Array(9).fill(0xff) }],
  ["a block that is none", "batch_invalid", { codec: 1, payload: Uint8Array.of(3, 0xfc, 1, 2), rawBytes: 3 }],
  ["an empty block", "batch_invalid", { codec: 1, payload: new Uint8Array() }],
  ["replaces itself", "batch_invalid", { replaces: { first: 1n, last: 42n } }],
  ["replaces from 0", "batch_invalid", { replaces: { first: 0n, last: 3n } }],
  ["replaces backwards", "batch_invalid", { replaces: { first: 5n, last: 3n } }],
])("an envelope with %s is refused as %s", (_, code, change) => {
  const before = process.memoryUsage().arrayBuffers;
  expect(refusalOf(() => openEnvelope(parseEnvelope(envelopeWith(change))))).toMatchObject({ code });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * MIB);
});

test("an envelope larger than allowed is refused before it is read", () => {
  const limits = { ...DEFAULT_WIRE_LIMITS, maxEnvelopeBytes: 100 };
  expect(refusalOf(() => parseEnvelope(new Uint8Array(101), limits))).toMatchObject({ code: "batch_too_large" });
});

test("an envelope of a million fields is refused", () => {
  const noise = Buffer.alloc(2_000_000, Buffer.from([0x7a, 0x00]));
  expect(refusalOf(() => parseEnvelope(noise))).toMatchObject({ code: "batch_too_large" });
});

test("cut or bent at any byte, an envelope is refused with a code or gives the rows that were sealed", () => {
  const { bytes } = sealBatch(EXAMPLE_KEY, usage, EXAMPLE_FACTS);
  const open = (damaged: Uint8Array): unknown => {
    try {
      return openEnvelope(parseEnvelope(damaged));
    } catch (error) {
      if (error instanceof PlimsollError && error.code.startsWith("batch_")) return "refused";
      throw error;
    }
  };
  for (let at = 0; at < bytes.length; at += 1) expect(open(bytes.subarray(0, at))).toBe("refused");
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, bits) => {
      const bent = Uint8Array.from(bytes);
      bent[at] = (bent[at] ?? 0) ^ bits;
      // A bent head may name another kind that reads the payload as no rows of its own; never other usage rows.
      const opened = open(bent);
      if (opened !== "refused") expect(opened).toEqual(usage);
    }),
    { numRuns: 3_000 },
  );
});

test.each<[string, string, Partial<UsageRow>]>([
  ["ends 6 s before it starts", "batch_time_invalid", { intervalEndMs: EXAMPLE_FACTS.sealedAtMs - 90_000_000 }],
  ["is of the year 3000", "batch_time_invalid", { intervalStartMs: Date.UTC(3000, 0) }],
  ["has a name that is too long", "batch_too_large", { podName: "x".repeat(1_025) }],
])("a row that %s is never sealed: the agent hears %s", (_, code, change) => {
  const row = { ...(usage.rows[0] as UsageRow), ...change };
  const batch = { kind: "usage" as const, rows: [row] };
  expect(refusalOf(() => sealBatch(EXAMPLE_KEY, batch, EXAMPLE_FACTS))).toMatchObject({ code });
});

/** The example's envelope, not compressed, with some fields changed. */
function envelopeWith(
  change: MessageInitShape<typeof EnvelopeSchema>,
  later: Readonly<Record<string, number>> = {},
): Uint8Array {
  const raw = encodeBatch(usage);
  const good = {
    ...EXAMPLE_KEY,
    sequence: BigInt(EXAMPLE_KEY.sequence),
    kind: 2 as const,
    sealedAtMs: BigInt(EXAMPLE_FACTS.sealedAtMs),
    rows: usage.rows.length,
    rawBytes: raw.length,
    sha256: sha256(raw),
    payload: raw,
  };
  // Numbers that the schema's types of this release do not know.
  return toBinary(EnvelopeSchema, Object.assign(create(EnvelopeSchema, { ...good, ...change }), later));
}

/** The block with another declared length in its head. */
function lying(block: Uint8Array, length: number): Uint8Array {
  const head = block.findIndex((byte) => byte < 0x80) + 1;
  return Uint8Array.from([length, ...block.subarray(head)]);
}

function refusalOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
