import { formatMoney } from "@plimsoll/contracts";
import type { Overview } from "@plimsoll/contracts/rest";
import { sumCoverages, sumNodes, sumResourceFigures } from "@plimsoll/core";
import type { CoveredRate } from "../cost/live-rate.ts";
import { presentCoverage } from "../coverage/present-coverage.ts";
import { type KnownCluster, presentRate, presentWatermarks } from "./cluster-view.ts";
import { minorOf } from "./filter-clusters.ts";
import { baseLayer } from "./flat-record.ts";
import { requestedPercent } from "./requested-percent.ts";

const MOST_ON_TOP = 10;

/**
 * Figures of the whole fleet. Sums are over the clusters that are heard of and have figures; `reporting` says how many of all
 * those are, so that a silent cluster is missing and never counted as it was.
 */
export function overviewOf(clusters: readonly KnownCluster[], nowMs: number): Overview {
  const counted = clusters.filter(({ entry, heard }) => entry.capacity !== null && isHeard(heard.state));
  const capacities = counted.flatMap(({ entry }) => entry.capacity ?? []);
  const nodes = sumNodes(capacities.map((capacity) => capacity.nodes));
  return {
    asOf: new Date(nowMs).toISOString(),
    simulated: clusters.some(({ entry }) => entry.simulated),
    clusters: {
      total: clusters.length,
      byConnectivity: countBy(clusters, ({ heard }) => heard.state),
      byHealth: countBy(clusters, ({ heard }) => heard.health),
      byType: countBy(clusters, ({ entry }) => baseLayer(entry).cluster_type),
    },
    nodes: { total: nodes.total, schedulable: nodes.schedulable },
    versions: versionsOf(clusters),
    watermarks: presentWatermarks(sumResourceFigures(capacities)),
    reporting: { clusters: counted.length, of: clusters.length },
    cost: sumRates(clusters.flatMap(({ rate }) => rate ?? [])),
    topByRequestedCpu: topByRequestedCpu(counted),
  };
}

function isHeard(state: KnownCluster["heard"]["state"]): boolean {
  return state === "online" || state === "late";
}

function countBy(clusters: readonly KnownCluster[], keyOf: (cluster: KnownCluster) => string): Record<string, number> {
  const groups = [...Map.groupBy(clusters, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(groups.map(([key, members]) => [key, members.length]));
}

/** Minors, newest first; clusters that say none are `unknown`. */
function versionsOf(clusters: readonly KnownCluster[]): Overview["versions"] {
  const groups = Map.groupBy(clusters, ({ entry }) => minorOf(entry.layer?.k8s_version ?? null) ?? "unknown");
  return [...groups]
    .map(([minor, members]) => ({ minor, clusters: members.length }))
    .sort((a, b) => minorOrder(b.minor) - minorOrder(a.minor));
}

function minorOrder(minor: string): number {
  const [major = 0, number = 0] = minor === "unknown" ? [-1] : minor.split(".").map(Number);
  return major * 1_000_000 + number;
}

/** Per currency: amounts of different currencies are never summed. */
function sumRates(rates: readonly CoveredRate[]): Overview["cost"] {
  return [...Map.groupBy(rates, ({ currency }) => currency)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, same]) => {
      const sum = (part: "total" | "workloads" | "idle" | "system") =>
        formatMoney(same.reduce((total, rate) => total + rate[part], 0n));
      const oldest = same.reduce((a, b) => (b.asOfMs < a.asOfMs ? b : a));
      const sources = new Set(same.flatMap(({ priceSource }) => priceSource.split(",")));
      return {
        ...presentRate(oldest),
        currency,
        total: sum("total"),
        workloads: sum("workloads"),
        idle: sum("idle"),
        system: sum("system"),
        priceSource: [...sources].sort().join(","),
        coverage: presentCoverage(sumCoverages(same.map((rate) => rate.coverage))),
        clusters: same.length,
      };
    });
}

function topByRequestedCpu(clusters: readonly KnownCluster[]): Overview["topByRequestedCpu"] {
  return clusters
    .flatMap(({ entry }) => {
      const percent = requestedPercent(entry, "cpu");
      return percent === null ? [] : { id: entry.id, name: entry.name, percent };
    })
    .sort((a, b) => b.percent - a.percent || (a.name < b.name ? -1 : 1))
    .slice(0, MOST_ON_TOP);
}
