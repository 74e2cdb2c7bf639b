import { refuse } from "./refuse.ts";

/**
 * Exactly `count` packed varints as 64-bit integers in two 32-bit halves each (low, high), none above 2^63 - 1. With
 * `delta`, each is a zigzag difference to the one before, and the running value must stay in that range. Halves, because
 * a bigint per value costs ten times as much. They go into `halves`, two elements each. Throws `batch_invalid` when there
 * are more or fewer, or one is out of range.
 */
export function decodeVarints(
  bytes: Uint8Array,
  count: number,
  delta: boolean,
  field: string,
  halves: Uint32Array,
): Uint32Array {
  const cursor = new VarintCursor(bytes, field);
  let low = 0;
  let high = 0;
  for (let target = 0; target < 2 * count; target += 2) {
    cursor.next();
    if (delta) {
      // zigzag: halve, and invert when the last bit was set; then add with carry.
      const sign = -(cursor.low & 1);
      const sum = low + ((((cursor.low >>> 1) | (cursor.high << 31)) ^ sign) >>> 0);
      high = (high + ((cursor.high >>> 1) ^ sign) + (sum > 0xffff_ffff ? 1 : 0)) | 0;
      low = sum >>> 0;
    } else {
      low = cursor.low >>> 0;
      high = cursor.high;
    }
    // The sign bit is set by a value below 0 and by one above 2^63 - 1 alike.
    if (high < 0) refuse(field, "holds a number that is not from 0 to 2^63 - 1");
    halves[target] = low;
    halves[target + 1] = high;
  }
  if (cursor.at < bytes.length) refuse(field, `has more than ${count} values`);
  if (cursor.at > bytes.length) refuse(field, `has fewer than ${count} values, or ends in the middle of one`);
  return halves;
}

/** Reads one varint after the other; beyond the end it reads zeros, which its position tells afterwards. */
class VarintCursor {
  /** Halves of the varint read last, as signed 32-bit integers. */
  low = 0;
  high = 0;
  at = 0;
  private readonly bytes: Uint8Array;
  private readonly field: string;

  constructor(bytes: Uint8Array, field: string) {
    this.bytes = bytes;
    this.field = field;
  }

  next(): void {
    const first = this.byte();
    this.low = first & 0x7f;
    this.high = 0;
    if (first > 0x7f) this.readRest();
  }

  private readRest(): void {
    for (let shift = 7, more = true; more; shift += 7) {
      const byte = this.byte();
      const bits = byte & 0x7f;
      if (shift < 32) this.low |= bits << shift;
      if (shift === 28) this.high = bits >>> 4;
      if (shift > 28) this.high |= bits << (shift - 32);
      // The tenth byte holds the last of 64 bits.
      if (shift === 63 && byte > 1) refuse(this.field, "holds a number of more than 64 bits");
      more = byte > 0x7f;
    }
  }

  private byte(): number {
    const byte = this.bytes[this.at] ?? 0;
    this.at += 1;
    return byte;
  }
}
