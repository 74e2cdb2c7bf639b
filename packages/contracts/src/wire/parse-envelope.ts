import { CODECS } from "./codec.ts";
import { Decoding } from "./decoding.ts";
import { BATCH_KINDS, type BatchKey, type Envelope, type SequenceRange } from "./envelope.ts";
import { Fields } from "./fields.ts";
import { DEFAULT_WIRE_LIMITS, type WireLimits } from "./limits.ts";
import { refuse, refuseAbove } from "./refuse.ts";

const CLUSTER_ID = /^[a-z0-9]([-a-z0-9.]{0,126}[a-z0-9])?$/;
const SPOOL_ID = /^[A-Za-z0-9][-A-Za-z0-9]{0,63}$/;
const MAX_UINT32 = 0xffff_ffff;
const ASCII = new TextDecoder("latin1");

/**
 * Reads the head of a serialized envelope; the payload stays packed and unread, and nothing is copied: keep `bytes` as
 * long as the envelope. Fields of later releases stay in `bytes`. An unknown kind or codec is no error here, a relay
 * forwards it. Throws `batch_invalid`, `batch_time_invalid` or `batch_too_large`.
 */
export function parseEnvelope(bytes: Uint8Array, limits: WireLimits = DEFAULT_WIRE_LIMITS): Envelope {
  refuseAbove("envelope bytes", bytes.length, limits.maxEnvelopeBytes);
  const fields = new Fields(bytes, "envelope");
  const key = readKey(fields);
  const kindNumber = fields.number(5, "kind", MAX_UINT32);
  const codecNumber = fields.number(9, "codec", MAX_UINT32);
  const rows = fields.number(10, "rows", MAX_UINT32);
  const rawBytes = fields.number(11, "raw_bytes", MAX_UINT32);
  const sha256 = fields.blob(12, "sha256");
  refuseAbove("envelope rows", rows, limits.maxRows);
  refuseAbove("raw bytes", rawBytes, limits.maxRawBytes);
  if (sha256?.length !== 32) refuse("envelope.sha256", `has ${sha256?.length ?? 0} bytes, not 32`);
  const sealedAtMs = Number(signed(fields.bigint(6, "sealed_at")));
  return {
    key,
    kind: BATCH_KINDS[kindNumber - 1] ?? null,
    kindNumber,
    sealedAtMs: new Decoding(limits).time(sealedAtMs, "envelope.sealed_at"),
    // Measured, never trusted: a clock that stands at 1970 is a finding, not a reason to lose the batch.
    agentClockMs: Number(signed(fields.bigint(7, "agent_clock"))),
    policyRevision: fields.number(8, "policy_revision", Number.MAX_SAFE_INTEGER),
    codec: CODECS[codecNumber] ?? null,
    codecNumber,
    rows,
    rawBytes,
    sha256,
    payload: fields.blob(13, "payload") ?? new Uint8Array(),
    replaces: readReplaces(fields.blob(14, "replaces"), key.sequence),
    bytes,
  };
}

/** What can be read of an envelope that `parseEnvelope` refuses. */
export interface RefusedHead {
  readonly key: BatchKey;
  /** Null = of a later release, or cannot be read. */
  readonly kind: Envelope["kind"];
  /** Null = there is none of the right length. */
  readonly sha256: Uint8Array | null;
}

/** The head of an envelope whatever its size and times are, so that its sender is told which batch was refused; null = not even its key can be read. */
export function readRefusedHead(bytes: Uint8Array): RefusedHead | null {
  try {
    const fields = new Fields(bytes, "envelope");
    const key = readKey(fields);
    const kind = attempt(() => BATCH_KINDS[fields.number(5, "kind", MAX_UINT32) - 1]);
    const sha256 = attempt(() => fields.blob(12, "sha256"));
    return { key, kind, sha256: sha256?.length === 32 ? sha256 : null };
  } catch {
    return null;
  }
}

function attempt<T>(read: () => T | undefined): T | null {
  try {
    return read() ?? null;
  } catch {
    return null;
  }
}

function readKey(fields: Fields): BatchKey {
  const sequence = fields.number(4, "sequence", Number.MAX_SAFE_INTEGER);
  if (sequence === 0) refuse("envelope.sequence", "is 0; the first is 1");
  return {
    clusterId: readName(fields.blob(1, "cluster_id"), CLUSTER_ID, "envelope.cluster_id"),
    incarnation: fields.number(2, "incarnation", MAX_UINT32),
    spoolId: readName(fields.blob(3, "spool_id"), SPOOL_ID, "envelope.spool_id"),
    sequence,
  };
}

function readName(blob: Uint8Array | undefined, form: RegExp, field: string): string {
  const text = ASCII.decode(blob?.subarray(0, 129));
  return form.test(text) ? text : refuse(field, `"${text}" does not have the form ${form.source}`);
}

function readReplaces(blob: Uint8Array | undefined, sequence: number): SequenceRange | null {
  if (blob === undefined) return null;
  const fields = new Fields(blob, "envelope.replaces");
  const first = fields.number(1, "first", Number.MAX_SAFE_INTEGER);
  const last = fields.number(2, "last", Number.MAX_SAFE_INTEGER);
  if (first === 0 || last < first || last >= sequence) {
    refuse("envelope.replaces", `${first} to ${last} is no range of batches before ${sequence}`);
  }
  return { first, last };
}

function signed(value: bigint | undefined): bigint {
  return BigInt.asIntN(64, value ?? 0n);
}
