import type { ClusterError, ClusterReport, ResourceFigures, ScanReport, Severity } from "@plimsoll/contracts";

/** One cluster of the report with what is said about it elsewhere in the report. */
export interface ClusterRow {
  readonly cluster: ClusterReport;
  readonly errors: readonly ClusterError[];
  /** Nothing at all is known of it; its errors say why. */
  readonly unread: boolean;
}

/** The report's clusters, in its order. */
export function clusterRows(report: ScanReport): ClusterRow[] {
  return report.clusters.map((cluster) => ({
    cluster,
    errors: report.errors.filter((error) => error.cluster === cluster.inventory.cluster_name),
    unread: isUnread(cluster),
  }));
}

/** Figures of one resource; undefined when unknown. */
export function resourceOf(cluster: ClusterReport, resource: string): ResourceFigures | undefined {
  return cluster.capacity?.resources[resource];
}

/** Findings of a cluster by severity. */
export function countFindings(cluster: ClusterReport): Record<Severity, number> {
  const counts = { info: 0, warning: 0, critical: 0 };
  for (const finding of cluster.findings) counts[finding.severity] += 1;
  return counts;
}

/** The currency that every priced cluster uses; undefined when there is none or they differ. */
export function soleCurrency(report: ScanReport): string | undefined {
  return report.fleet.cost.length === 1 ? report.fleet.cost[0]?.currency : undefined;
}

/** Names of GPUs and other extended resources that any cluster has, sorted. */
export function extendedResources(report: ScanReport): string[] {
  const plain = ["cpu", "memory", "pods", "ephemeral-storage"];
  const names = report.clusters.flatMap((cluster) => Object.keys(cluster.capacity?.resources ?? {}));
  return [...new Set(names)].filter((name) => !plain.includes(name)).sort();
}

function isUnread({ capacity, inventory }: ClusterReport): boolean {
  return capacity === null && inventory.k8s_version === null && inventory.fingerprint === null;
}
