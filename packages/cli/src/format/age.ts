const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Seconds from `observedAt` to `asOf` (both RFC 3339); `null` when either is no time. Never negative. */
export function ageSeconds(observedAt: string, asOf: string): number | null {
  const milliseconds = Date.parse(asOf) - Date.parse(observedAt);
  return Number.isNaN(milliseconds) ? null : Math.max(0, Math.floor(milliseconds / 1000));
}

/** An age as people say it: `"12 s"`, `"5 min"`, `"3 h"`, `"12 d"`; unknown → `"unknown age"`. */
export function formatAge(seconds: number | null): string {
  if (seconds === null) return "unknown age";
  if (seconds < 2 * MINUTE) return `${seconds} s`;
  if (seconds < 2 * HOUR) return `${Math.floor(seconds / MINUTE)} min`;
  return seconds < 2 * DAY ? `${Math.floor(seconds / HOUR)} h` : `${Math.floor(seconds / DAY)} d`;
}

/** `"2026-11-30T11:01:28.123Z"` → `"2026-11-30 11:01:28 UTC"`. A text that is no time stays as it is. */
export function formatInstant(time: string): string {
  const parsed = new Date(time);
  if (Number.isNaN(parsed.getTime())) return time;
  return `${parsed.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
