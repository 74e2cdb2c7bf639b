import { type ClusterReport, type Finding, type ScanReport, SEVERITIES } from "@plimsoll/contracts";
import { formatCount } from "../format/quantity.ts";

/** Findings of one code and severity: the first stands for all. */
export interface FindingGroup {
  readonly first: Finding;
  /** Cluster of the first. */
  readonly cluster: string;
  readonly count: number;
  /** Every cluster that has one, in the report's order. */
  readonly clusters: readonly string[];
  /** Every object, in the report's order. */
  readonly objects: readonly string[];
}

const NAMED_CLUSTERS = 3;

/** All findings of the fleet, those of one code and severity together; worst first, then in the report's order. */
export function groupFindings({ clusters }: Pick<ScanReport, "clusters">): FindingGroup[] {
  return group(clusters, ({ code }) => code);
}

/** The findings of one cluster likewise, but each that is about the cluster as a whole says something of its own. */
export function clusterFindings(cluster: ClusterReport): FindingGroup[] {
  return group([cluster], ({ code, object, message }) => (object.startsWith("Cluster/") ? message : code));
}

function group(clusters: readonly ClusterReport[], kindOf: (finding: Finding) => string): FindingGroup[] {
  const groups = new Map<string, FindingGroup>();
  for (const { inventory, findings } of clusters) {
    for (const finding of findings) {
      const key = `${finding.severity} ${kindOf(finding)}`;
      groups.set(key, withFinding(groups.get(key), inventory.cluster_name, finding));
    }
  }
  return [...groups.values()].sort((a, b) => rank(b.first) - rank(a.first));
}

/** What a finding is about, in front of its message: the cluster, and the object where the message does not name it. */
export function findingSubject({ cluster, first }: FindingGroup): string {
  const name = first.object.slice(first.object.lastIndexOf("/") + 1);
  return first.message.includes(name) || first.object === `Cluster/${cluster}`
    ? cluster
    : `${cluster}: ${first.object}`;
}

/** `"and 3 more"`, `"and 3 more, also in gke-staging"`, `"and 40 more, in 12 clusters"`; empty for one alone. */
export function othersText({ count, cluster, clusters }: FindingGroup): string {
  if (count === 1) return "";
  const more = `and ${formatCount(count - 1)} more`;
  const others = clusters.filter((name) => name !== cluster);
  if (others.length === 0) return more;
  return others.length <= NAMED_CLUSTERS
    ? `${more}, also in ${others.join(", ")}`
    : `${more}, in ${formatCount(clusters.length)} clusters`;
}

function withFinding(group: FindingGroup | undefined, cluster: string, finding: Finding): FindingGroup {
  const { object } = finding;
  if (group === undefined) return { first: finding, cluster, count: 1, clusters: [cluster], objects: [object] };
  const clusters = group.clusters.at(-1) === cluster ? group.clusters : [...group.clusters, cluster];
  return { ...group, count: group.count + 1, clusters, objects: [...group.objects, object] };
}

function rank(finding: Finding): number {
  return SEVERITIES.indexOf(finding.severity);
}
