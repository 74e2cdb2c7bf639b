import { API_VERSION, type ClusterReport, type ReportedError, type ScanReport } from "@plimsoll/contracts";
import { sortFindings } from "../findings/find-all.ts";
import { clusterObject, makeFinding } from "../findings/make-finding.ts";
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
 * error. A cluster that was read under two names has two rows, is counted once (the row that says more) and has a finding.
 * @param asOf end of the scan, RFC 3339 UTC
 */
export function reportFleet(
  results: readonly ClusterResult[],
  unreadable: readonly UnreadableCluster[],
  asOf: string,
): ScanReport {
  const { kept, repeated } = onePerFingerprint(results.map(({ report }) => report));
  const unread = unreadable.map(({ name, endpoint }) => unreadableCluster(name, endpoint, asOf));
  const errors = [
    ...results.flatMap((result) => result.errors),
    ...unreadable.flatMap((cluster) => cluster.errors.map((error) => ({ cluster: cluster.name, ...error }))),
  ];
  return {
    apiVersion: API_VERSION,
    kind: "ScanReport",
    asOf,
    fleet: fleetTotals([...kept, ...unread], kept.length),
    clusters: [...kept, ...repeated, ...unread].sort(byName),
    errors: errors.sort((a, b) => compareText(a.cluster, b.cluster)),
  };
}

interface Distinct {
  readonly kept: readonly ClusterReport[];
  readonly repeated: readonly ClusterReport[];
}

/** Per fingerprint the report that says the most, the first by name among equals; clusters without one stand alone. */
function onePerFingerprint(reports: readonly ClusterReport[]): Distinct {
  const kept = new Map<string, ClusterReport>();
  const repeated: ClusterReport[] = [];
  for (const report of [...reports].sort((a, b) => figuresKnown(b) - figuresKnown(a) || byName(a, b))) {
    const { fingerprint, cluster_name: name } = report.inventory;
    const first = kept.get(fingerprint ?? `name:${name}`);
    if (fingerprint === null || !first) kept.set(fingerprint ?? `name:${name}`, report);
    else repeated.push(seenTwice(report, first.inventory.cluster_name));
  }
  return { kept: [...kept.values()], repeated };
}

function figuresKnown({ capacity, workloads, cost }: ClusterReport): number {
  return [capacity, workloads, cost].filter((figures) => figures !== null).length;
}

function seenTwice(report: ClusterReport, other: string): ClusterReport {
  const object = clusterObject(report.inventory.cluster_name);
  const finding = makeFinding("cluster_seen_twice", { object, fields: { other } });
  return { ...report, findings: sortFindings([...report.findings, finding]) };
}

function byName(a: ClusterReport, b: ClusterReport): number {
  return compareText(a.inventory.cluster_name, b.inventory.cluster_name);
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
