import { API_VERSION, type ClusterReport, type ReportedError, type ScanReport } from "@plimsoll/contracts";
import { sortFindings } from "../findings/find-all.ts";
import { clusterObject, listNames, makeFinding } from "../findings/make-finding.ts";
import { fleetTotals } from "./fleet-totals.ts";
import type { ClusterResult } from "./report-cluster.ts";
import { unreadableCluster } from "./unreadable-cluster.ts";

/** A cluster that gave nothing, and why. */
export interface UnreadableCluster {
  /** Context, or the dump's name. */
  readonly name: string;
  /** Address of the API server; null for a dump. */
  readonly endpoint: string | null;
  readonly errors: readonly ReportedError[];
}

/**
 * The report of a fleet: one row per cluster, by name, also for those that gave nothing; totals over the clusters; every
 * error. A cluster that was read under several names (same UID of namespace kube-system) is one row, of the reading that
 * learned most, with a finding that names the others.
 * @param asOf end of the scan, RFC 3339 UTC
 */
export function reportFleet(
  results: readonly ClusterResult[],
  unreadable: readonly UnreadableCluster[],
  asOf: string,
): ScanReport {
  const read = onePerFingerprint(results);
  const unread = unreadable.map(({ name, endpoint }) => unreadableCluster(name, endpoint, asOf));
  const clusters = [...read.map(({ report }) => report), ...unread];
  const errors = [
    ...read.flatMap((result) => result.errors),
    ...unreadable.flatMap((cluster) => cluster.errors.map((error) => ({ cluster: cluster.name, ...error }))),
  ];
  return {
    apiVersion: API_VERSION,
    kind: "ScanReport",
    asOf,
    fleet: fleetTotals(clusters, read.length),
    clusters: clusters.sort((a, b) => compareText(nameOf(a), nameOf(b))),
    errors: errors.sort((a, b) => compareText(a.cluster, b.cluster)),
  };
}

/** Clusters without a fingerprint stand alone. */
function onePerFingerprint(results: readonly ClusterResult[]): readonly ClusterResult[] {
  const alone = results.filter(({ report }) => report.inventory.fingerprint === null);
  const known = results.filter(({ report }) => report.inventory.fingerprint !== null);
  const groups = Map.groupBy(known, ({ report }) => report.inventory.fingerprint);
  return [...alone, ...[...groups.values()].flatMap(keepBest)];
}

/** Fewest errors, then newest, then first by name. */
function keepBest(readings: readonly ClusterResult[]): readonly ClusterResult[] {
  const [best, ...others] = [...readings].sort(
    (a, b) =>
      a.errors.length - b.errors.length ||
      compareText(b.report.inventory.observed_at, a.report.inventory.observed_at) ||
      compareText(nameOf(a.report), nameOf(b.report)),
  );
  if (!best || others.length === 0) return readings;
  const fields = { others: listNames(others.map(({ report }) => nameOf(report)).sort()) };
  const finding = makeFinding("cluster_seen_twice", { object: clusterObject(nameOf(best.report)), fields });
  const findings = sortFindings([...best.report.findings, finding]);
  return [{ ...best, report: { ...best.report, findings } }];
}

function nameOf({ inventory }: ClusterReport): string {
  return inventory.cluster_name;
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
