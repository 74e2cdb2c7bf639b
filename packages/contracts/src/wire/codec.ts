import { compressSync, uncompressSync } from "snappy";
import { refuse, refuseAbove } from "./refuse.ts";

/** How a payload is packed; the numbers are those of enum Codec. */
export const CODECS = ["none", "snappy"] as const;
export type Codec = (typeof CODECS)[number];

/** Below it, Snappy's own bytes outweigh what it saves. */
const COMPRESS_FROM_BYTES = 512;

/** The payload in its smaller form. */
export function pack(raw: Uint8Array): { readonly codec: Codec; readonly payload: Uint8Array } {
  if (raw.length >= COMPRESS_FROM_BYTES) {
    const payload = compressSync(raw);
    if (payload.length < raw.length) return { codec: "snappy", payload };
  }
  return { codec: "none", payload: raw };
}

/**
 * The raw bytes of a payload. Their number is read from the payload's head and compared with what the envelope says and
 * with the limit before anything is decompressed. Throws `batch_too_large` or `batch_invalid`.
 */
export function unpack(codec: Codec, payload: Uint8Array, rawBytes: number, maxRawBytes: number): Uint8Array {
  refuseAbove("raw bytes", rawBytes, maxRawBytes);
  const declared = codec === "none" ? payload.length : declaredLength(payload);
  refuseAbove("raw bytes", declared, maxRawBytes);
  if (declared !== rawBytes) refuse("payload", `unpacks to ${declared} bytes, not to the ${rawBytes} of its envelope`);
  return codec === "none" ? payload : uncompress(payload);
}

/** A Snappy block starts with its uncompressed length, a varint of at most 32 bits. */
function declaredLength(block: Uint8Array): number {
  let length = 0;
  for (let index = 0; index < 5; index += 1) {
    const byte = block[index];
    if (byte === undefined) break;
    length += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return length;
  }
  return refuse("payload", "is no Snappy block");
}

function uncompress(block: Uint8Array): Uint8Array {
  try {
    const raw = uncompressSync(block);
    return typeof raw === "string" ? Buffer.from(raw) : raw;
  } catch (cause) {
    return refuse("payload", `is no Snappy block (${cause instanceof Error ? cause.message : String(cause)})`);
  }
}
