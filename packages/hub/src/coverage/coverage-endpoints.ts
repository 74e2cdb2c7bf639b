import { PlimsollError } from "@plimsoll/contracts";
import { CoverageAnswer, CoverageQuery } from "@plimsoll/contracts/rest";
import { sumCoverages } from "@plimsoll/core";
import { type Endpoint, endpoint } from "../api/endpoint.ts";
import { type HourWindow, parseHourWindow } from "../api/hour-window.ts";
import { pageOf } from "../api/page.ts";
import { namedClusters, onlyCluster } from "../inventory/named-clusters.ts";
import type { ClusterScope } from "../store/cluster-scope.ts";
import { presentCoverage } from "./present-coverage.ts";
import { type CoverageSources, readCoverage } from "./read-coverage.ts";

/** Questions about coverage. */
export function coverageEndpoints(sources: CoverageSources): readonly Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/api/v1/coverage",
      access: { verb: "read", noun: "cost" },
      summary: "How much of what should be known of each hour of each cluster is known, and why the rest is not",
      params: null,
      query: CoverageQuery,
      body: null,
      answer: CoverageAnswer,
      handle: ({ query }, { scope, nowMs }) => coverageAnswer(sources, query, scope, nowMs),
    }),
  ];
}

/** Hours of clusters that are one question: half a second of a processor and 100 MB. 500 clusters have 8 days. */
const MAX_CLUSTER_HOURS = 100_000;

function refuseTooMany(clusters: number, { startMs, endMs }: HourWindow): void {
  const hours = Math.ceil((endMs - startMs) / 3_600_000);
  if (clusters <= 1 || clusters * hours <= MAX_CLUSTER_HOURS) return;
  const most = Math.max(1, Math.floor(MAX_CLUSTER_HOURS / clusters));
  throw new PlimsollError("coverage_too_large", { clusters, hours, limit: MAX_CLUSTER_HOURS, most });
}

/** Answers `GET /api/v1/coverage`. Throws `parameter_invalid`, `cluster_unknown`, `coverage_too_large`, `cursor_invalid`. */
async function coverageAnswer(
  sources: CoverageSources,
  query: CoverageQuery,
  scope: ClusterScope,
  nowMs: number,
): Promise<CoverageAnswer> {
  const window = parseHourWindow(query.window, nowMs);
  const visible = await namedClusters(sources.store, scope);
  const clusters = query.cluster === undefined ? visible : onlyCluster(visible, query.cluster);
  refuseTooMany(clusters.size, window);
  const found = await readCoverage(sources, { clusters, window, facts: query.facts, nowMs });
  const named = [...found]
    .map(([clusterId, coverage]) => ({ cluster: clusters.get(clusterId)?.name ?? clusterId, clusterId, ...coverage }))
    .filter(({ hours }) => hours.length > 0)
    .sort((a, b) => (a.cluster < b.cluster ? -1 : 1));
  const hours = named.flatMap(({ cluster, clusterId, hours: of }) =>
    of.map((hour) => ({ cluster, clusterId, ...hour })),
  );
  const { limit, cursor, ...filters } = query;
  const ordering = { valueOf: () => 0, idOf: (each: (typeof hours)[number]) => `${each.cluster} ${each.hourStartMs}` };
  const page = pageOf(hours, { ...ordering, descending: false }, { limit, cursor, filters });
  return {
    items: page.items.map(({ cluster, clusterId, hourStartMs, coverage }) => ({
      cluster,
      clusterId,
      hour: new Date(hourStartMs).toISOString(),
      coverage: presentCoverage(coverage),
    })),
    errors: [],
    asOf: new Date(nowMs).toISOString(),
    next: page.next,
    total: page.total,
    window: { start: new Date(window.startMs).toISOString(), end: new Date(window.endMs).toISOString() },
    coverage: presentCoverage(sumCoverages(named.map(({ total }) => total))),
    clusters: named.map(({ cluster, clusterId, total }) => ({ cluster, clusterId, coverage: presentCoverage(total) })),
  };
}
