import { PlimsollError } from "@plimsoll/contracts";
import { CLUSTER_SORTS } from "@plimsoll/contracts/rest";
import type { Ordering, SortValue } from "../api/page.ts";
import type { KnownCluster } from "./cluster-view.ts";
import { baseLayer, flatRecord } from "./flat-record.ts";
import { requestedPercent } from "./requested-percent.ts";
import { sortableVersion } from "./sortable-version.ts";

type ClusterSort = (typeof CLUSTER_SORTS)[number];

const VALUES: Readonly<Record<ClusterSort, (cluster: KnownCluster) => SortValue>> = {
  name: ({ entry }) => entry.name,
  type: ({ entry }) => baseLayer(entry).cluster_type,
  region: ({ entry }) => baseLayer(entry).region,
  provider: ({ entry }) => baseLayer(entry).provider,
  environment: ({ entry, heard }) => flatRecord(entry, heard).environment,
  version: ({ entry }) => sortableVersion(entry.layer?.k8s_version ?? null),
  nodes: ({ entry }) => entry.capacity?.nodes.total ?? entry.layer?.node_count ?? null,
  cpu: ({ entry }) => requestedPercent(entry, "cpu"),
  memory: ({ entry }) => requestedPercent(entry, "memory"),
  cost: ({ rate }) => rate && Number(rate.total),
  idle: ({ rate }) => rate && Number(rate.idle),
  state: ({ heard }) => ["online", "late", "offline", "never-seen"].indexOf(heard.state),
  health: ({ heard }) => ["healthy", "degraded", "unhealthy", "unknown"].indexOf(heard.health),
  mode: ({ entry }) => entry.mode,
};

/** The order of `sort`, by name when it says none. Throws `parameter_invalid` naming the columns. */
export function clusterOrdering(sort = "name"): Ordering<KnownCluster> {
  const descending = sort.startsWith("-");
  const column = CLUSTER_SORTS.find((name) => name === (descending ? sort.slice(1) : sort));
  if (!column) {
    throw new PlimsollError("parameter_invalid", {
      field: "sort",
      value: sort.slice(0, 80),
      expected: `one of ${CLUSTER_SORTS.join(", ")}, with - in front for descending`,
    });
  }
  // Names are unique, and read better as the second order than ids do.
  return { valueOf: VALUES[column], idOf: ({ entry }) => entry.name, descending };
}
