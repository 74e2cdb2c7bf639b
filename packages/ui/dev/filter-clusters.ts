import type { ClusterQuery, ClusterView } from "@plimsoll/contracts/rest";
import type { z } from "zod";
import { minorOf, requestedPercent } from "./invented-overview.ts";

type Query = z.infer<typeof ClusterQuery>;
type SortValue = string | number | null;

/** Clusters that a query asks for, in its order; what is unknown comes last. */
export function filterClusters(clusters: readonly ClusterView[], query: Query): ClusterView[] {
  const found = clusters.filter(
    (cluster) =>
      isAnyOf(query.type, cluster.record.cluster_type) &&
      isAnyOf(query.connectivity, cluster.connectivity.state) &&
      isAnyOf(query.health, cluster.record.health_status) &&
      isAnyOf(query.version, minorOf(cluster)) &&
      isFound(query.search, cluster) &&
      isSelected(query.selector, cluster.record.labels),
  );
  const column = (query.sort ?? "name").replace(/^-/, "");
  const sign = query.sort?.startsWith("-") ? -1 : 1;
  return found.sort((a, b) => compare(sortValue(a, column), sortValue(b, column), sign) || compare(a.name, b.name, 1));
}

function isAnyOf(wanted: string | undefined, value: unknown): boolean {
  return wanted === undefined || wanted.split(",").includes(String(value));
}

function isFound(text: string | undefined, { name, record }: ClusterView): boolean {
  const within = `${name} ${record.region ?? ""} ${record.provider ?? ""}`.toLowerCase();
  return text === undefined || within.includes(text.toLowerCase());
}

/** `a=b`, `a!=b`, `a in (b,c)`, `a`, `!a`: enough of a selector for a fixture. */
function isSelected(selector: string | undefined, labels: unknown): boolean {
  const valueOfLabel = (key: string) => {
    const value = typeof labels === "object" && labels !== null ? Reflect.get(labels, key) : undefined;
    return value === undefined ? undefined : String(value);
  };
  return (selector?.match(/[^,(]+(\([^)]*\))?/g) ?? []).every((part) => {
    const term = part.trim();
    const within = /^(\S+) in \(([^)]*)\)$/.exec(term);
    if (within) return within[2]?.split(",").includes(valueOfLabel(within[1] ?? "") ?? "") ?? false;
    const equal = /^([^!=]+)(!?=)=?(.*)$/.exec(term);
    if (equal) return (valueOfLabel(equal[1] ?? "") === equal[3]) === (equal[2] === "=");
    return term.startsWith("!") ? valueOfLabel(term.slice(1)) === undefined : valueOfLabel(term) !== undefined;
  });
}

function sortValue(cluster: ClusterView, column: string): SortValue {
  const field = { type: "cluster_type", version: "k8s_version", health: "health_status" }[column] ?? column;
  const special: Readonly<Record<string, SortValue>> = {
    name: cluster.name,
    nodes: cluster.nodes?.total ?? null,
    cpu: requestedPercent(cluster, "cpu"),
    memory: requestedPercent(cluster, "memory"),
    cost: cluster.cost && Number(cluster.cost.total),
    idle: cluster.cost && Number(cluster.cost.idle),
    state: cluster.connectivity.state,
    mode: cluster.mode,
  };
  const value = column in special ? special[column] : cluster.record[field];
  return typeof value === "string" || typeof value === "number" ? value : null;
}

function compare(a: SortValue, b: SortValue, sign: number): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return a === b ? 0 : a < b ? -sign : sign;
}
