import { DAY, HOUR, type Seconds } from "../time/seconds.ts";

/** Share of the day's peak at each full hour of local time. */
const HOURS: readonly number[] = [
  0.32, 0.27, 0.24, 0.23, 0.24, 0.28, 0.37, 0.5, 0.66, 0.8, 0.9, 0.95, 0.92, 0.9, 0.93, 0.96, 0.95, 0.92, 0.94, 1, 0.97,
  0.82, 0.6, 0.42,
];
const WEEKEND_SHARE = 0.7;
/** 1970-01-01 was a Thursday; days counted from the Monday before. */
const EPOCH_WEEKDAY = 3;

/** Load at a moment as a share of the week's peak, in (0, 1]: the hour of the region's day, less at weekends. */
export function loadAt(at: Seconds, utcOffsetHours: number): number {
  const local = at + utcOffsetHours * HOUR;
  const hours = (local % DAY) / HOUR;
  const hour = Math.floor(hours);
  const from = HOURS[hour] ?? 0.5;
  const to = HOURS[(hour + 1) % 24] ?? 0.5;
  const weekday = (Math.floor(local / DAY) + EPOCH_WEEKDAY) % 7;
  return (from + (to - from) * (hours - hour)) * (weekday >= 5 ? WEEKEND_SHARE : 1);
}
