import type { ClusterReport, Finding } from "@plimsoll/contracts";
import type { ClusterResult } from "@plimsoll/core";
import type { ClusterReading } from "./read-fleet.ts";

type ReportReading = ClusterReading<ClusterResult>;
type GoodReading = Extract<ReportReading, { result: unknown }>;

/**
 * Several contexts, or a dump and a context, may be one cluster (same UID of kube-system): it is counted once. The reading
 * that learned most stays, then the newest, then the first; a finding on it names the others. Readings without a
 * fingerprint are never merged. Order is kept.
 */
export function mergeSameCluster(readings: readonly ReportReading[]): ReportReading[] {
  const groups = new Map<string, GoodReading[]>();
  for (const reading of readings) {
    const key = fingerprintOf(reading);
    if (key !== null && "result" in reading) groups.set(key, [...(groups.get(key) ?? []), reading]);
  }
  return readings.flatMap((reading) => {
    const group = groups.get(fingerprintOf(reading) ?? "") ?? [];
    const best = group.reduce<GoodReading | undefined>(better, undefined);
    if (best === undefined || group.length === 1) return [reading];
    return best === reading ? [withNote(best, group)] : [];
  });
}

function fingerprintOf(reading: ReportReading): string | null {
  return "result" in reading ? reading.result.report.inventory.fingerprint : null;
}

function better(best: GoodReading | undefined, other: GoodReading): GoodReading {
  if (best === undefined) return other;
  const errors = other.result.errors.length - best.result.errors.length;
  if (errors !== 0) return errors < 0 ? other : best;
  return observedAt(other) > observedAt(best) ? other : best;
}

function observedAt(reading: GoodReading): string {
  return reading.result.report.inventory.observed_at;
}

function withNote(best: GoodReading, group: readonly GoodReading[]): GoodReading {
  const others = group.filter((reading) => reading !== best).map((reading) => reading.source.name);
  const report: ClusterReport = {
    ...best.result.report,
    findings: [...best.result.report.findings, note(best.source.name, others)],
  };
  return { ...best, result: { ...best.result, report } };
}

function note(kept: string, others: readonly string[]): Finding {
  return {
    code: "cluster_named_twice",
    severity: "info",
    object: `Cluster/${kept}`,
    message: `Also read as ${others.join(", ")}: namespace kube-system has the same UID, so it is counted once`,
    remedy: "Name one of them with --context to read it once",
  };
}
