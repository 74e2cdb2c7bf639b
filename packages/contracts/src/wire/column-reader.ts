import type { Decoding } from "./decoding.ts";
import { Fields } from "./fields.ts";
import { refuse } from "./refuse.ts";
import { decodeVarints } from "./varints.ts";

const MAX_INT64 = 0x7fff_ffff_ffff_ffffn;
const TWO_32 = 2 ** 32;

type Packed =
  | { readonly constant: bigint }
  | { readonly constant: undefined; readonly bytes: Uint8Array; readonly delta: boolean; readonly step: bigint };

/**
 * A `Column` message as numbers from 0 to `max` (at most 2^53 - 1), one per row. Throws `batch_invalid` (another number
 * of rows, a value out of range, malformed) or `batch_too_large` (more cells than the batch may have).
 */
export function decodeNumbers(
  column: Uint8Array | undefined,
  field: string,
  rows: number,
  max: number,
  decoding: Decoding,
): Float64Array {
  const packed = readPacked(column, field, rows, decoding);
  if (packed.constant !== undefined) {
    if (packed.constant > max && rows > 0) refuseValue(field, packed.constant, max);
    return new Float64Array(rows).fill(Number(packed.constant));
  }
  const halves = decodeVarints(packed.bytes, rows, packed.delta, field, decoding.scratch(2 * rows));
  const values = new Float64Array(rows);
  const step = Number(packed.step);
  for (let row = 0; row < rows; row += 1) {
    const value = ((halves[2 * row + 1] ?? 0) * TWO_32 + (halves[2 * row] ?? 0)) * step;
    if (value > max) refuseValue(field, value, max);
    values[row] = value;
  }
  return values;
}

/** A `Column` message as integers from 0 to 2^63 - 1, one per row. Throws as `decodeNumbers` does. */
export function decodeIntegrals(
  column: Uint8Array | undefined,
  field: string,
  rows: number,
  decoding: Decoding,
): BigInt64Array {
  const packed = readPacked(column, field, rows, decoding);
  if (packed.constant !== undefined) {
    if (packed.constant > MAX_INT64) refuseValue(field, packed.constant, "2^63 - 1");
    return new BigInt64Array(rows).fill(packed.constant);
  }
  // Low half first: the byte order of every platform that Node runs on.
  const values = new BigInt64Array(rows);
  decodeVarints(packed.bytes, rows, packed.delta, field, new Uint32Array(values.buffer));
  if (packed.step === 1n) return values;
  for (let row = 0; row < rows; row += 1) {
    const value = (values[row] ?? 0n) * packed.step;
    if (value > MAX_INT64) refuseValue(field, value, "2^63 - 1");
    values[row] = value;
  }
  return values;
}

function readPacked(column: Uint8Array | undefined, field: string, rows: number, decoding: Decoding): Packed {
  decoding.takeCells(rows);
  if (column === undefined) return { constant: 0n };
  const fields = new Fields(column, field);
  const plain = fields.blob(1, "plain");
  const delta = fields.blob(2, "delta");
  const constant = fields.bigint(3, "constant");
  const step = fields.bigint(4, "step") || 1n;
  if (Number(plain !== undefined) + Number(delta !== undefined) + Number(constant !== undefined) !== 1) {
    refuse(field, "has not exactly one of plain, delta and constant");
  }
  if (constant !== undefined) return { constant: constant * step };
  return { constant: undefined, bytes: plain ?? delta ?? new Uint8Array(), delta: delta !== undefined, step };
}

function refuseValue(field: string, value: number | bigint, max: number | string): never {
  refuse(field, `${value} is not from 0 to ${max}`);
}
