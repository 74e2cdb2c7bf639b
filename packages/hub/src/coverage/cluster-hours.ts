import { type Coverage, coverTime, type ReasonedSpan, sumCoverages, type TimeSpan } from "@plimsoll/core";
import type { HourWindow } from "../api/hour-window.ts";
import type { NamedCluster } from "../inventory/named-clusters.ts";

/** A priced hour of a cluster, as its coverage asks. */
export interface ToldHour {
  readonly hourStartMs: number;
  /** The figures of the hour run up to here. */
  readonly upToMs: number;
  readonly billedMs: number;
  readonly unseenMs: number;
}

/** What a cluster's coverage in a window is computed from. */
export interface ClusterFacts {
  readonly cluster: Pick<NamedCluster, "isGone" | "registeredAtMs">;
  readonly window: HourWindow;
  /** Facts are expected up to here: now, or where figures end. */
  readonly expectedUpToMs: number;
  readonly told: readonly ToldHour[];
  readonly gaps: readonly ReasonedSpan[];
  readonly absences: readonly ReasonedSpan[];
}

/** The coverage of one hour. */
interface HourCoverage {
  readonly hourStartMs: number;
  readonly coverage: Coverage;
}

/** The coverage of a cluster in a window. */
export interface ClusterCoverage {
  /** In order; hours of which nothing is expected are left out. */
  readonly hours: readonly HourCoverage[];
  /** Of all of them. */
  readonly total: Coverage;
}

const HOUR_MS = 3_600_000;

/**
 * The coverage of each hour of a cluster: facts are expected since it was registered, up to now; of earlier hours, as far as
 * there are any (a clock, an import); of a tombstone, up to its last ones.
 */
export function clusterCoverage(facts: ClusterFacts): ClusterCoverage {
  const { cluster, window, told, gaps, absences, expectedUpToMs } = facts;
  const byHour = new Map(told.map((hour) => [hour.hourStartMs, hour]));
  const endMs = cluster.isGone ? Math.max(0, ...told.map(({ upToMs }) => upToMs)) : expectedUpToMs;
  const hours: HourCoverage[] = [];
  for (let hourStartMs = window.startMs; hourStartMs < window.endMs; hourStartMs += HOUR_MS) {
    const hour = byHour.get(hourStartMs);
    const bounds = { fromMs: hourStartMs, toMs: Math.min(hourStartMs + HOUR_MS, window.endMs) };
    const expected = expectedTime(bounds, cluster.registeredAtMs, endMs, hour);
    if (expected === null) continue;
    const pods = { billedMs: hour?.billedMs ?? 0, unseenMs: hour?.unseenMs ?? 0 };
    const coverage = coverTime({ expected, toldUpToMs: hour?.upToMs ?? hourStartMs, gaps, absences, pods });
    if (coverage.expectedMs > 0) hours.push({ hourStartMs, coverage });
  }
  return { hours, total: sumCoverages(hours.map(({ coverage }) => coverage)) };
}

function expectedTime(
  { fromMs, toMs }: TimeSpan,
  registeredAtMs: number,
  endMs: number,
  hour: ToldHour | undefined,
): TimeSpan | null {
  const until = Math.min(toMs, endMs);
  if (registeredAtMs < toMs)
    return { fromMs: Math.max(fromMs, Math.min(registeredAtMs, hour?.upToMs ?? until)), toMs: until };
  return hour ? { fromMs, toMs: Math.min(hour.upToMs, toMs) } : null;
}
