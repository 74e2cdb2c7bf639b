import { CLUSTER_TYPES, type HealthStatus, PlimsollError } from "@plimsoll/contracts";
import { Connectivity } from "@plimsoll/contracts/rest";
import { readVersion } from "@plimsoll/core";
import type { KnownCluster } from "./cluster-view.ts";
import { baseLayer, selectableLabels } from "./flat-record.ts";
import { matchesSelector, parseSelector } from "./label-selector.ts";

/** Which clusters are asked for; what is not said filters nothing. Facets are values joined by commas: any of them. */
export interface ClusterFilter {
  readonly selector?: string | undefined;
  readonly search?: string | undefined;
  readonly type?: string | undefined;
  readonly connectivity?: string | undefined;
  readonly health?: string | undefined;
  readonly version?: string | undefined;
}

type Facet = "type" | "connectivity" | "health" | "version";

/** What a facet takes: one of these, or what the pattern says. */
const VALUES: Readonly<Record<Facet, { readonly pattern: RegExp; readonly expected: string }>> = {
  type: oneOf(CLUSTER_TYPES),
  connectivity: oneOf(Connectivity.options),
  health: oneOf(["healthy", "degraded", "unhealthy", "unknown"] satisfies HealthStatus[]),
  version: { pattern: /^(\d+\.\d+|unknown)$/, expected: "minor versions as 1.33, or unknown" },
};

const FACETS: readonly (readonly [Facet, (cluster: KnownCluster) => string])[] = [
  ["type", ({ entry }) => baseLayer(entry).cluster_type],
  ["connectivity", ({ heard }) => heard.state],
  ["health", ({ heard }) => heard.health],
  ["version", ({ entry }) => minorOf(entry.layer?.k8s_version ?? null) ?? "unknown"],
];

/** The clusters that a filter asks for. Throws `selector_invalid` or `parameter_invalid`. */
export function filterClusters(clusters: readonly KnownCluster[], filter: ClusterFilter): readonly KnownCluster[] {
  const selector = parseSelector(filter.selector ?? "");
  const words = (filter.search ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const facets = FACETS.flatMap(([facet, read]) => {
    const wanted = facetValues(facet, filter[facet]);
    return wanted === null ? [] : [{ read, wanted }];
  });
  return clusters.filter(
    (cluster) =>
      matchesSelector(selector, selectableLabels(cluster.entry)) &&
      facets.every(({ read, wanted }) => wanted.has(read(cluster))) &&
      words.every((word) => searchText(cluster).includes(word)),
  );
}

/** `1.33` of `v1.33.4-eks-1a2b`; null when it is no version. */
export function minorOf(version: string | null): string | null {
  const reading = readVersion(version);
  return reading.status === "parsed" ? `${reading.version.major}.${reading.version.minor}` : null;
}

function facetValues(field: Facet, text: string | undefined): ReadonlySet<string> | null {
  if (text === undefined) return null;
  const values = text.split(",").map((value) => value.trim());
  const { pattern, expected } = VALUES[field];
  const wrong = values.find((value) => !pattern.test(value));
  if (wrong === undefined) return new Set(values);
  const fields = { field, value: wrong.slice(0, 80), expected: `${expected}; several joined by commas` };
  throw new PlimsollError("parameter_invalid", fields);
}

function oneOf(names: readonly string[]) {
  return { pattern: new RegExp(`^(${names.join("|")})$`), expected: `one of ${names.join(", ")}` };
}

function searchText({ entry }: KnownCluster): string {
  const { provider, region, cluster_type: type } = baseLayer(entry);
  return [entry.name, entry.id, provider, region, type].join(" ").toLowerCase();
}
