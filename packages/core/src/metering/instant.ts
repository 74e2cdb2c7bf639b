import { PlimsollError } from "@plimsoll/contracts";

/** A point of time: nanoseconds since 1970-01-01T00:00:00Z. */
export type InstantNanos = bigint;

/** A length of time in nanoseconds. */
export type DurationNanos = bigint;

/** The earlier of two instants. */
export function earlier(a: InstantNanos, b: InstantNanos): InstantNanos {
  if (a < b) return a;
  return b;
}

/** The later of two instants. */
export function later(a: InstantNanos, b: InstantNanos): InstantNanos {
  if (a > b) return a;
  return b;
}

/** Nanoseconds in a second. */
export const NANOS_PER_SECOND = 1_000_000_000n;

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** An RFC 3339 time as an instant; digits finer than a nanosecond are dropped. Undefined when the text is none. */
export function tryParseInstant(text: string): InstantNanos | undefined {
  const match = RFC3339.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number);
  const [offsetHours, offsetMinutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day);
  date.setUTCHours(hour ?? 0, minute, second);
  // A date that does not exist (month 13, 30 February, 25:00) moved on: its text differs.
  if (date.toISOString().slice(0, 19) !== text.slice(0, 19).toUpperCase()) return undefined;
  const offset = (offsetHours * 60 + offsetMinutes) * (match[8] === "-" ? -60 : 60);
  const fraction = BigInt((match[7] ?? "").slice(0, 9).padEnd(9, "0"));
  return (BigInt(date.getTime()) / 1_000n - BigInt(offset)) * NANOS_PER_SECOND + fraction;
}

/** Like `tryParseInstant`, but throws `timestamp_invalid` with the field and the value. */
export function parseInstant(text: string, field: string): InstantNanos {
  const instant = tryParseInstant(text);
  if (instant === undefined) throw new PlimsollError("timestamp_invalid", { field, value: text });
  return instant;
}

/** An instant as RFC 3339 UTC, with as many digits of a second as it needs. */
export function formatInstant(instant: InstantNanos): string {
  const fraction = ((instant % NANOS_PER_SECOND) + NANOS_PER_SECOND) % NANOS_PER_SECOND;
  const seconds = (instant - fraction) / NANOS_PER_SECOND;
  const whole = new Date(Number(seconds) * 1_000).toISOString().slice(0, 19);
  const digits = fraction.toString().padStart(9, "0").replace(/0+$/, "");
  return `${whole}${digits === "" ? "" : `.${digits}`}Z`;
}
