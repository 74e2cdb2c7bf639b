import { crc32c } from "./crc32c.ts";

/**
 * How an entry lies in a segment: magic (4), payload length (4), sequence (8), CRC-32C (4), payload; little endian. The sum
 * covers length, sequence and payload. The magic names the version of the frame, and is where a reader picks up again
 * behind bytes that are damaged.
 */
const MAGIC = Buffer.from("PLE1");
export const FRAME_BYTES = 20;

/** Nothing longer is an entry: an envelope is at most 4 MiB. */
const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024;

/** One intact entry of a segment. */
export interface FramedEntry {
  readonly sequence: number;
  /** Where its frame begins. */
  readonly offset: number;
  /** Frame and payload together. */
  readonly length: number;
  readonly payload: Uint8Array;
}

/** Bytes of a segment that are no entry; `tail` = nothing intact follows. */
export interface Damage {
  readonly offset: number;
  readonly length: number;
  readonly tail: boolean;
  /** The greatest sequence that a damaged frame in it still shows; null = none does. */
  readonly lastSequence: number | null;
}

/** An entry as it is written. */
export function frameEntry(sequence: number, payload: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(FRAME_BYTES + payload.length);
  MAGIC.copy(bytes, 0);
  bytes.writeUInt32LE(payload.length, 4);
  bytes.writeBigUInt64LE(BigInt(sequence), 8);
  bytes.writeUInt32LE(sumOf(bytes.subarray(4, 16), payload), 16);
  bytes.set(payload, FRAME_BYTES);
  return bytes;
}

/** The entry that begins at `offset`; undefined when there is no intact one. */
export function entryAt(bytes: Buffer, offset: number): FramedEntry | undefined {
  if (bytes.length < offset + FRAME_BYTES || bytes.compare(MAGIC, 0, 4, offset, offset + 4) !== 0) return undefined;
  const size = bytes.readUInt32LE(offset + 4);
  const sequence = bytes.readBigUInt64LE(offset + 8);
  const end = offset + FRAME_BYTES + size;
  if (size > MAX_PAYLOAD_BYTES || end > bytes.length || sequence > Number.MAX_SAFE_INTEGER) return undefined;
  const payload = bytes.subarray(offset + FRAME_BYTES, end);
  if (sumOf(bytes.subarray(offset + 4, offset + 16), payload) !== bytes.readUInt32LE(offset + 16)) return undefined;
  return { sequence: Number(sequence), offset, length: FRAME_BYTES + size, payload };
}

/** Every intact entry behind `from`, and what lies between them. Never throws. */
export function scanEntries(
  segment: Uint8Array,
  from = 0,
): {
  readonly entries: readonly FramedEntry[];
  readonly damages: readonly Damage[];
} {
  const bytes = Buffer.from(segment.buffer, segment.byteOffset, segment.byteLength);
  const entries: FramedEntry[] = [];
  const damages: Damage[] = [];
  let offset = from;
  while (offset < bytes.length) {
    const next = nextEntry(bytes, offset);
    const begin = next?.offset ?? bytes.length;
    if (begin > offset) damages.push(damageOf(bytes.subarray(offset, begin), offset, next === undefined));
    if (!next) break;
    entries.push(next);
    offset = next.offset + next.length;
  }
  return { entries, damages };
}

function nextEntry(bytes: Buffer, from: number): FramedEntry | undefined {
  for (let at = bytes.indexOf(MAGIC, from); at >= 0; at = bytes.indexOf(MAGIC, at + 1)) {
    const entry = entryAt(bytes, at);
    if (entry) return entry;
  }
  return undefined;
}

function damageOf(bytes: Buffer, offset: number, tail: boolean): Damage {
  let lastSequence: number | null = null;
  for (let at = bytes.indexOf(MAGIC); at >= 0 && at + 16 <= bytes.length; at = bytes.indexOf(MAGIC, at + 1)) {
    const sequence = bytes.readBigUInt64LE(at + 8);
    if (sequence <= Number.MAX_SAFE_INTEGER) lastSequence = Math.max(lastSequence ?? 0, Number(sequence));
  }
  return { offset, length: bytes.length, tail, lastSequence };
}

function sumOf(head: Uint8Array, payload: Uint8Array): number {
  return crc32c(payload, crc32c(head));
}
