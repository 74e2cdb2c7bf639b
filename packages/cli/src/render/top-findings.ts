import { type Finding, type ScanReport, SEVERITIES } from "@plimsoll/contracts";

/** Findings of one cluster with one code: the first stands for all. */
export interface FindingGroup {
  readonly cluster: string;
  readonly first: Finding;
  readonly count: number;
}

/** All findings, those of one cluster, code and severity together; worst first, then in the report's order. */
export function groupFindings(report: Pick<ScanReport, "clusters">): FindingGroup[] {
  const groups = new Map<string, FindingGroup>();
  for (const { inventory, findings } of report.clusters) {
    for (const finding of findings) {
      const key = JSON.stringify([inventory.cluster_name, finding.code, finding.severity]);
      const known = groups.get(key);
      groups.set(key, {
        cluster: inventory.cluster_name,
        first: known?.first ?? finding,
        count: (known?.count ?? 0) + 1,
      });
    }
  }
  return [...groups.values()].sort((a, b) => rank(b.first) - rank(a.first));
}

function rank(finding: Finding): number {
  return SEVERITIES.indexOf(finding.severity);
}
