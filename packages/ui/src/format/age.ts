/** Seconds between two figures of a cluster that are made at least this often, whatever the cluster's own beat. */
const REPORT_INTERVAL_SECONDS = 60;

/** Seconds from `time` (RFC 3339) to `nowMs`, never negative; `null` when there is no time. */
export function ageSeconds(time: string | null | undefined, nowMs: number): number | null {
  if (time == null) return null;
  const parsed = Date.parse(time);
  return Number.isNaN(parsed) ? null : Math.max(0, Math.floor((nowMs - parsed) / 1000));
}

/**
 * Whether a figure is stale: older than two of its intervals, or of unknown age. `beatSeconds` is how often the cluster is
 * heard of; figures come once a minute or as often as that, whichever is slower.
 */
export function isStale(seconds: number | null, beatSeconds: number): boolean {
  return seconds === null || seconds > 2 * Math.max(REPORT_INTERVAL_SECONDS, beatSeconds);
}
