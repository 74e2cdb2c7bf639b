import { PlimsollError } from "../errors.ts";
import type { WireLimits } from "./limits.ts";

/** Throws `message_invalid`: `field` is the path inside the message, `reason` says what is wrong with it. */
export function refuseMessage(field: string, reason: string): never {
  throw new PlimsollError("message_invalid", { field, reason });
}

/** A 64-bit field as a number. Throws `message_invalid` above 2^53 - 1. */
export function toNumber(value: bigint, field: string): number {
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : refuseMessage(field, `${value} is above 2^53 - 1`);
}

/** An optional 64-bit field as a number; null when absent. */
export function toOptionalNumber(value: bigint | undefined, field: string): number | null {
  return value === undefined ? null : toNumber(value, field);
}

/** A point of time in milliseconds. Throws `message_invalid` outside the limits. */
export function toTime(ms: bigint, field: string, limits: WireLimits): number {
  if (ms >= limits.earliestMs && ms <= limits.latestMs) return Number(ms);
  return refuseMessage(field, `${ms} ms is outside 2000 to 2200`);
}

/** A count for an optional 64-bit field. */
export function toOptionalBigInt(count: number | null): bigint | undefined {
  return count === null ? undefined : BigInt(count);
}

/** Milliseconds for a 64-bit field; a measured clock offset may leave a fraction. */
export function toMillis(ms: number): bigint {
  return BigInt(Math.round(ms));
}
