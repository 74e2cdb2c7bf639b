import { formatMoney, nanosPerUnit } from "@plimsoll/contracts";
import type { NamespaceView } from "@plimsoll/contracts/rest";
import { fromWireQuantity } from "@plimsoll/contracts/wire";
import { presentCoverage } from "../coverage/present-coverage.ts";
import { namedClusters } from "../inventory/named-clusters.ts";
import type { ClusterScope } from "../store/cluster-scope.ts";
import type { Store } from "../store/store.ts";
import type { LiveRates } from "./live-rates.ts";

/** Namespaces of the clusters in a scope as they are now, by cluster and name. */
export async function namespaceViews(
  store: Store,
  live: LiveRates,
  scope: ClusterScope,
  nowMs: number,
): Promise<readonly NamespaceView[]> {
  const clusters = await namedClusters(store, scope);
  const views = live.current(scope, nowMs).flatMap(([id, { rate, namespaces }]) => {
    const cluster = clusters.get(id);
    if (cluster === undefined || cluster.isGone) return [];
    return namespaces.map(
      (each): NamespaceView => ({
        cluster: cluster.name,
        clusterId: id,
        namespace: each.namespace,
        cpuRequested: published("cpu", each.cpuRequested),
        cpuUsed: each.cpuUsed === null ? null : published("cpu", each.cpuUsed),
        memoryRequested: published("memory", each.memoryRequested),
        memoryUsed: each.memoryUsed === null ? null : published("memory", each.memoryUsed),
        hourly: formatMoney(each.hourly),
        currency: rate.currency,
        coverage: presentCoverage(rate.coverage),
        observedAt: new Date(rate.asOfMs).toISOString(),
      }),
    );
  });
  return views.sort((a, b) => compare(a.cluster, b.cluster) || compare(a.namespace, b.namespace));
}

/** An average in wire units as whole published units (millicores, bytes), rounded to nearest: it is measured, not asked for. */
function published(resource: string, quantity: bigint): string {
  const per = nanosPerUnit(resource);
  return ((fromWireQuantity(resource, quantity) + per / 2n) / per).toString();
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
