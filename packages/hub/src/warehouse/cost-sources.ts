import { hoursFingerprint } from "../ledger/hours-fingerprint.ts";
import type { LiveSegment } from "../ledger/segment-rows.ts";
import type { CostHour } from "./ask-cost.ts";

const DAY_MS = 24 * 3_600_000;

/** Which files answer for which clusters' days. */
export interface CostSources {
  /** Summed days, with the clusters whose day is exactly what is asked for; `isWhole`: those are all that are in it. */
  readonly days: readonly {
    readonly segment: LiveSegment;
    readonly clusterIds: readonly string[];
    readonly isWhole: boolean;
  }[];
  /** The hours that are left. */
  readonly hours: readonly CostHour[];
}

/** Takes every cluster's day that a summed file has exactly as it is asked for. `owners` is by segment, then cluster. */
export function chooseSources(
  asked: readonly CostHour[],
  days: readonly LiveSegment[],
  owners: ReadonlyMap<string, ReadonlyMap<string, number>>,
): CostSources {
  const byDay = Map.groupBy(asked, ({ hourStartMs }) => hourStartMs - (hourStartMs % DAY_MS));
  const parts = [...byDay].map(([dayMs, ofDay]) => {
    const segment = days.find(({ hourStartMs }) => hourStartMs === dayMs);
    return chooseDay(ofDay, segment, segment && owners.get(segment.id));
  });
  return { days: parts.flatMap(({ days }) => days), hours: parts.flatMap(({ hours }) => hours) };
}

function chooseDay(
  hours: readonly CostHour[],
  segment: LiveSegment | undefined,
  known: ReadonlyMap<string, number> | undefined,
): CostSources {
  if (segment === undefined || known === undefined) return { days: [], hours };
  const summed: string[] = [];
  const left: CostHour[] = [];
  for (const [clusterId, ofCluster] of Map.groupBy(hours, (hour) => hour.clusterId)) {
    if (known.get(clusterId) === hoursFingerprint(ofCluster)) summed.push(clusterId);
    else left.push(...ofCluster);
  }
  const day = { segment, clusterIds: summed, isWhole: summed.length === known.size };
  return { days: summed.length > 0 ? [day] : [], hours: left };
}
