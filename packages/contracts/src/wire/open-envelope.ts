import { PlimsollError } from "../errors.ts";
import { type Batch, decodeBatch, knownKind } from "./batch.ts";
import { unpack } from "./codec.ts";
import { describeKey, type Envelope } from "./envelope.ts";
import { DEFAULT_WIRE_LIMITS, type WireLimits } from "./limits.ts";
import { refuse } from "./refuse.ts";
import { sha256 } from "./sha256.ts";

/**
 * The rows of an envelope, checked: size, hash, form, values. Throws `batch_kind_unknown`, `batch_codec_unknown`,
 * `batch_too_large`, `batch_hash_mismatch`, `batch_time_invalid` or `batch_invalid`; each is a permanent reject.
 */
export function openEnvelope(envelope: Envelope, limits: WireLimits = DEFAULT_WIRE_LIMITS): Batch {
  const kind = knownKind(envelope);
  const batch = decodeBatch(kind, openPayload(envelope, limits), limits);
  if (batch.rows.length !== envelope.rows) {
    refuse("envelope.rows", `says ${envelope.rows}, the batch has ${batch.rows.length}`);
  }
  return batch;
}

/**
 * The batch message inside an envelope, of the sealed size and hash, not decoded: for stores that read columns
 * (`decodeSampleColumns`). Throws `batch_codec_unknown`, `batch_too_large`, `batch_invalid` or `batch_hash_mismatch`.
 */
export function openPayload(envelope: Envelope, limits: WireLimits = DEFAULT_WIRE_LIMITS): Uint8Array {
  const batch = describeKey(envelope.key);
  if (envelope.codec === null) throw new PlimsollError("batch_codec_unknown", { batch, codec: envelope.codecNumber });
  const raw = unpack(envelope.codec, envelope.payload, envelope.rawBytes, limits.maxRawBytes);
  const [actual, expected] = [hex(sha256(raw)), hex(envelope.sha256)];
  if (actual !== expected) throw new PlimsollError("batch_hash_mismatch", { batch, actual, expected });
  return raw;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}
