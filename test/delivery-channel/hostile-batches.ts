import { createHash } from "node:crypto";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { encodeBatch, pack } from "@plimsoll/contracts/wire";
import {
  ColumnSchema,
  SampleBatchSchema,
  type UsageBatch,
  UsageBatchSchema,
} from "../../packages/contracts/src/gen/plimsoll/v1/batch_pb.ts";
import { EnvelopeSchema } from "../../packages/contracts/src/gen/plimsoll/v1/envelope_pb.ts";
import { usageRow } from "../hub/facts.ts";

/** What an envelope of a hostile sender says; `raw` is the batch message. */
export interface Forged {
  readonly raw?: Uint8Array;
  readonly payload?: Uint8Array;
  readonly rawBytes?: number;
  readonly rows?: number;
  readonly clusterId?: string;
  readonly sealedAtMs?: bigint;
}

const USAGE = 2;
const SNAPPY = 1;

/** An envelope as its sender wants it; hash and sizes are right unless they are said to be others. */
export function forge(clusterId: string, incarnation: number, sequence: number, forged: Forged): Uint8Array {
  const raw = forged.raw ?? new Uint8Array();
  const packed = forged.payload ? { payload: forged.payload, codec: "snappy" } : pack(raw);
  const message = create(EnvelopeSchema, {
    clusterId: forged.clusterId ?? clusterId,
    incarnation,
    spoolId: "spool-of-evil",
    sequence: BigInt(sequence),
    kind: USAGE,
    sealedAtMs: forged.sealedAtMs ?? BigInt(Date.now()),
    codec: packed.codec === "snappy" ? SNAPPY : 0,
    rows: forged.rows ?? 1,
    rawBytes: forged.rawBytes ?? raw.length,
    sha256: createHash("sha256").update(raw).digest(),
    payload: packed.payload,
  });
  return toBinary(EnvelopeSchema, message);
}

/** A usage batch of one good row, with something exchanged. */
export function usageMessage(change: Partial<UsageBatch>): Uint8Array {
  const hourStartMs = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  const row = usageRow({ hourStartMs, intervalStartMs: hourStartMs, asOfMs: hourStartMs, billedMs: 0 });
  const good = fromBinary(UsageBatchSchema, encodeBatch({ kind: "usage", rows: [row] }));
  return toBinary(UsageBatchSchema, Object.assign(good, change));
}

/** The same number in every row. */
export function constant(value: bigint) {
  return create(ColumnSchema, { constant: value });
}

/** First the value, then differences. */
export function deltas(...values: bigint[]) {
  return create(ColumnSchema, { delta: values });
}

/** A dictionary of so many texts. */
export function dictionaryOf(entries: number): Uint8Array {
  return usageMessage({ dictionary: Array<string>(entries).fill("a") });
}

/** Samples that say they are more rows than a number holds. */
export function endlessSamples(): Uint8Array {
  return toBinary(SampleBatchSchema, create(SampleBatchSchema, { rows: 0xffff_ffff }));
}

/** One Snappy block that unpacks to so many zeros: 1 byte becomes 21. */
export function snappyBomb(unpackedBytes: number): Uint8Array {
  const parts: Buffer[] = [varint(unpackedBytes), Buffer.from([0, 0])];
  const copies = Math.floor((unpackedBytes - 1) / 64);
  // A copy of 64 bytes from 1 byte before, again and again.
  parts.push(Buffer.concat(Array<Buffer>(copies).fill(Buffer.from([0xfe, 1, 0]))));
  return Buffer.concat(parts);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}
