import { coverageFraction, lostFractions, sumCoverages } from "@plimsoll/core";
import type { Metric } from "prom-client";
import { type CoverageSources, readCoverage } from "../coverage/read-coverage.ts";
import { namedClusters } from "../inventory/named-clusters.ts";
import { readGauge } from "./declared-metrics.ts";
import { Remembered } from "./remembered.ts";

const HOUR_MS = 3_600_000;
/** A cluster is behind when it holds batches that are older. */
const BEHIND_MS = 600_000;

/** How far behind agents are, and how well the last full hour is covered. `now` is milliseconds since 1970 UTC. */
export function fleetMetrics(
  sources: CoverageSources,
  clusterIds: () => readonly string[],
  now: () => number,
): readonly Metric[] {
  const coverage = new Remembered(now, () => lastFullHour(sources, now()));
  const lagsMs = (): readonly number[] =>
    clusterIds().flatMap((id) => {
      const oldestMs = sources.heardOf(id)?.oldestSealedMs ?? null;
      return oldestMs === null ? [] : Math.max(0, now() - oldestMs);
    });
  return [
    readGauge("plimsoll_delivery_lag_seconds", () => Math.max(0, ...lagsMs()) / 1_000),
    readGauge("plimsoll_clusters_behind", () => lagsMs().filter((lagMs) => lagMs > BEHIND_MS).length),
    readGauge("plimsoll_coverage_ratio", async () => coverageFraction(await coverage.value())),
    readGauge("plimsoll_coverage_lost_ratio", async () =>
      Object.fromEntries(lostFractions(await coverage.value()).map(({ reason, fraction }) => [reason, fraction])),
    ),
  ];
}

async function lastFullHour(sources: CoverageSources, nowMs: number) {
  const endMs = nowMs - (nowMs % HOUR_MS);
  const clusters = await namedClusters(sources.store, "all");
  const window = { startMs: endMs - HOUR_MS, endMs };
  const found = await readCoverage(sources, { clusters, window, facts: "usage", nowMs });
  return sumCoverages(found.values().map(({ total }) => total));
}
