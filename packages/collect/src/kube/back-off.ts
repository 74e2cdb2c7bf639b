import type { Random } from "./clock.ts";

/** How a wait grows: a random share (full jitter) of `baseMs × 2^attempt`, which is capped at `capMs`. */
export interface BackOff {
  readonly baseMs: number;
  readonly capMs: number;
}

/** Milliseconds to wait before attempt number `attempt` (0 = first repetition). Full jitter: many clients spread evenly. */
export function backOffMs(attempt: number, { baseMs, capMs }: BackOff, random: Random): number {
  return Math.floor(random() * Math.min(capMs, baseMs * 2 ** Math.min(attempt, 30)));
}

/** Longest Retry-After that is obeyed, milliseconds: a server cannot stop a collection for an hour. */
export const RETRY_AFTER_CAP_MS = 60_000;

/** A Retry-After header as milliseconds from `now`, bounded; seconds or an HTTP date. Undefined when absent or senseless. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), RETRY_AFTER_CAP_MS);
}
