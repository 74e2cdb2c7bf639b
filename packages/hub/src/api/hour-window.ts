import { PlimsollError } from "@plimsoll/contracts";

/** Hours that a question is about, half-open, UTC. */
export interface HourWindow {
  /** Start of an hour. */
  readonly startMs: number;
  /** Start of an hour, or now: then the running hour counts up to its newest facts. */
  readonly endMs: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longest window: what priced rows are kept for. */
const MAX_HOURS = 400 * 24;
const EXPECTED =
  "24h, 7d, today, yesterday, week, lastweek, month, lastmonth, or two RFC 3339 instants on full hours joined by a comma";

/**
 * The hours of a window: `24h` and `7d` end now and count the running hour as one of them; days, weeks (from Monday) and
 * months are UTC. Throws `parameter_invalid`.
 */
export function parseHourWindow(text: string, nowMs: number): HourWindow {
  const window = relative(text, nowMs) ?? named(text, nowMs) ?? between(text, nowMs);
  if (!window || window.endMs <= window.startMs || window.endMs - window.startMs > MAX_HOURS * HOUR_MS) {
    throw new PlimsollError("parameter_invalid", { field: "window", value: text.slice(0, 80), expected: EXPECTED });
  }
  return window;
}

function relative(text: string, nowMs: number): HourWindow | undefined {
  const match = /^([1-9]\d{0,4})([hd])$/.exec(text);
  if (!match) return undefined;
  const hours = Number(match[1]) * (match[2] === "d" ? 24 : 1);
  return { startMs: floorTo(nowMs, HOUR_MS) - (hours - 1) * HOUR_MS, endMs: nowMs };
}

function named(text: string, nowMs: number): HourWindow | undefined {
  const today = floorTo(nowMs, DAY_MS);
  const date = new Date(nowMs);
  const monday = today - ((date.getUTCDay() + 6) % 7) * DAY_MS;
  const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  switch (text) {
    case "today":
      return { startMs: today, endMs: nowMs };
    case "yesterday":
      return { startMs: today - DAY_MS, endMs: today };
    case "week":
      return { startMs: monday, endMs: nowMs };
    case "lastweek":
      return { startMs: monday - 7 * DAY_MS, endMs: monday };
    case "month":
      return { startMs: month, endMs: nowMs };
    case "lastmonth":
      return { startMs: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1), endMs: month };
    default:
      return undefined;
  }
}

function between(text: string, nowMs: number): HourWindow | undefined {
  const [start, end, more] = text.split(",").map(instant);
  if (start === undefined || end === undefined || more !== undefined) return undefined;
  const endMs = Math.min(end, nowMs);
  return start % HOUR_MS === 0 && (endMs % HOUR_MS === 0 || endMs === nowMs) ? { startMs: start, endMs } : undefined;
}

function instant(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

function floorTo(ms: number, unit: number): number {
  return ms - (ms % unit);
}
