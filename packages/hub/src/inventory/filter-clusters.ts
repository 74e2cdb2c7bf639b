import { PlimsollError } from "@plimsoll/contracts";
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
  if (!values.includes("")) return new Set(values);
  throw new PlimsollError("parameter_invalid", {
    field,
    value: text.slice(0, 80),
    expected: "values joined by commas",
  });
}

function searchText({ entry }: KnownCluster): string {
  const { provider, region, cluster_type: type } = baseLayer(entry);
  return [entry.name, entry.id, provider, region, type].join(" ").toLowerCase();
}
