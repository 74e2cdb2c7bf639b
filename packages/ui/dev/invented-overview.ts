import { formatMoney, parseMoney } from "@plimsoll/contracts";
import type { ClusterView, Overview } from "@plimsoll/contracts/rest";

type Sums = Overview["watermarks"][number];

/** What the hub would answer for these clusters, added up by simple loops. */
export function overviewOf(clusters: readonly ClusterView[], nowMs: number, simulated: boolean): Overview {
  const reporting = clusters.filter(({ watermarks }) => watermarks !== null);
  return {
    asOf: new Date(nowMs).toISOString(),
    simulated,
    clusters: {
      total: clusters.length,
      byConnectivity: countBy(clusters, ({ connectivity }) => connectivity.state),
      byHealth: countBy(clusters, ({ record }) => String(record.health_status)),
      byType: countBy(clusters, ({ record }) => String(record.cluster_type)),
    },
    nodes: {
      total: clusters.reduce((sum, { nodes }) => sum + (nodes?.total ?? 0), 0),
      schedulable: clusters.reduce((sum, { nodes }) => sum + (nodes?.schedulable ?? 0), 0),
    },
    versions: Object.entries(countBy(clusters, minorOf))
      .filter(([minor]) => minor !== "")
      .map(([minor, count]) => ({ minor, clusters: count }))
      .sort((a, b) => Number(b.minor.split(".")[1]) - Number(a.minor.split(".")[1])),
    watermarks: watermarkSums(reporting),
    reporting: { clusters: reporting.length, of: clusters.length },
    cost: costSums(clusters),
    topByRequestedCpu: reporting
      .map((cluster) => ({ id: cluster.id, name: cluster.name, percent: requestedPercent(cluster, "cpu") ?? 0 }))
      .sort((a, b) => b.percent - a.percent)
      .slice(0, 5),
  };
}

/** `v1.33.4-eks-…` → `1.33`; `""` where no version is known. */
export function minorOf({ record }: ClusterView): string {
  return /^v?(\d+\.\d+)/.exec(String(record.k8s_version ?? ""))?.[1] ?? "";
}

/** Requested share of a resource in percent, not cut; null = unknown. */
export function requestedPercent(cluster: ClusterView, resource: string): number | null {
  const found = cluster.watermarks?.find((figures) => figures.resource === resource);
  return found?.requested == null ? null : (100 * Number(found.requested)) / Number(found.allocatable);
}

function countBy(clusters: readonly ClusterView[], keyOf: (cluster: ClusterView) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const cluster of clusters) counts[keyOf(cluster)] = (counts[keyOf(cluster)] ?? 0) + 1;
  return counts;
}

/** Unknown enters no sum; a figure that nobody knows stays unknown. */
function watermarkSums(clusters: readonly ClusterView[]): Sums[] {
  const sums = new Map<string, Sums>();
  for (const figures of clusters.flatMap(({ watermarks }) => watermarks ?? [])) {
    const sum = sums.get(figures.resource);
    if (sum === undefined) {
      sums.set(figures.resource, { ...figures });
      continue;
    }
    sums.set(figures.resource, addWatermarks(sum, figures));
  }
  return [...sums.values()];
}

function addWatermarks(a: Sums, b: Sums): Sums {
  return {
    ...a,
    capacity: (BigInt(a.capacity) + BigInt(b.capacity)).toString(),
    allocatable: (BigInt(a.allocatable) + BigInt(b.allocatable)).toString(),
    requested: add(a.requested, b.requested),
    requestedAllocatable: add(a.requestedAllocatable, b.requestedAllocatable),
    limits: add(a.limits, b.limits),
    limitsPartial: a.limitsPartial || b.limitsPartial,
    used: add(a.used, b.used),
    usedAllocatable: add(a.usedAllocatable, b.usedAllocatable),
    pending: add(a.pending, b.pending),
  };
}

function add(a: string | null | undefined, b: string | null | undefined): string | null {
  if (a == null) return b ?? null;
  return b == null ? a : (BigInt(a) + BigInt(b)).toString();
}

function costSums(clusters: readonly ClusterView[]): Overview["cost"] {
  const sums = new Map<string, Overview["cost"][number]>();
  for (const { cost } of clusters) {
    if (cost === null) continue;
    const sum = sums.get(cost.currency);
    if (sum === undefined) {
      sums.set(cost.currency, { ...cost, clusters: 1 });
      continue;
    }
    for (const part of ["total", "workloads", "idle", "system"] as const) sum[part] = addMoney(sum[part], cost[part]);
    sum.clusters += 1;
  }
  return [...sums.values()].sort((a, b) => b.clusters - a.clusters);
}

function addMoney(a: string, b: string): string {
  return formatMoney((parseMoney(a) ?? 0n) + (parseMoney(b) ?? 0n));
}
