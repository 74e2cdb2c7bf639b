import { create, toBinary } from "@bufbuild/protobuf";
import { Codec as CodecNumber, EnvelopeSchema, BatchKind as KindNumber } from "../gen/plimsoll/v1/envelope_pb.ts";
import { type Batch, decodeBatch, encodeBatch } from "./batch.ts";
import { pack } from "./codec.ts";
import type { BatchKey, Envelope, SealFacts } from "./envelope.ts";
import { DEFAULT_WIRE_LIMITS, type WireLimits } from "./limits.ts";
import { parseEnvelope } from "./parse-envelope.ts";
import { sha256 } from "./sha256.ts";

const KIND_NUMBERS = {
  sample: KindNumber.SAMPLE,
  usage: KindNumber.USAGE,
  node: KindNumber.NODE,
  gap: KindNumber.GAP,
} as const;

const CODEC_NUMBERS = { none: CodecNumber.NONE, snappy: CodecNumber.SNAPPY } as const;

/**
 * Seals rows into an envelope that is never changed again. Whatever its own reader would refuse is refused here, with the
 * same codes (`batch_invalid`, `batch_time_invalid`, `batch_too_large`: split the rows), so that no batch leaves that can
 * only end in quarantine.
 */
export function sealBatch(
  key: BatchKey,
  batch: Batch,
  facts: SealFacts,
  limits: WireLimits = DEFAULT_WIRE_LIMITS,
): Envelope {
  const raw = encodeBatch(batch);
  decodeBatch(batch.kind, raw, limits);
  const { codec, payload } = pack(raw);
  const message = create(EnvelopeSchema, {
    clusterId: key.clusterId,
    incarnation: key.incarnation,
    spoolId: key.spoolId,
    sequence: BigInt(key.sequence),
    kind: KIND_NUMBERS[batch.kind],
    sealedAtMs: BigInt(Math.round(facts.sealedAtMs)),
    agentClockMs: BigInt(Math.round(facts.agentClockMs)),
    policyRevision: BigInt(facts.policyRevision),
    codec: CODEC_NUMBERS[codec],
    rows: batch.rows.length,
    rawBytes: raw.length,
    sha256: sha256(raw),
    payload,
    ...(facts.replaces && {
      replaces: { first: BigInt(facts.replaces.first), last: BigInt(facts.replaces.last) },
    }),
  });
  return parseEnvelope(toBinary(EnvelopeSchema, message), limits);
}
