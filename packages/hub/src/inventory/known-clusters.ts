import type { CostAnswers } from "../cost/costs.ts";
import type { PullFault } from "../pull/pull-loop.ts";
import type { ClusterScope } from "../store/cluster-scope.ts";
import type { KnownCluster } from "./cluster-view.ts";
import type { Liveness } from "./liveness.ts";
import type { Registry } from "./registry.ts";

/** The places where a cluster's figures are. */
export interface FleetSources {
  readonly registry: Registry;
  readonly liveness: Liveness;
  readonly costs: Pick<CostAnswers, "liveRates">;
  /** Why the hub cannot read a cluster that it reads itself; null = it can, or an agent does. */
  readonly pullFaultOf: (clusterId: string) => PullFault | null;
  /** After how long facts are late, milliseconds. */
  readonly factsLateAfterMs: () => number;
}

/** Every cluster of a scope with all that is known of it, by name. */
export function knownClusters(sources: FleetSources, scope: ClusterScope, nowMs: number): readonly KnownCluster[] {
  const rates = sources.costs.liveRates(scope, nowMs);
  return sources.registry.list(scope).map((entry) => ({
    entry,
    heard: sources.liveness.of(entry.id),
    rate: rates.get(entry.id) ?? null,
    pullFault: sources.pullFaultOf(entry.id),
    factsLateAfterMs: sources.factsLateAfterMs(),
  }));
}

/** One cluster by id or name. Throws `cluster_unknown`. */
export function knownCluster(
  sources: FleetSources,
  idOrName: string,
  scope: ClusterScope,
  nowMs: number,
): KnownCluster {
  const entry = sources.registry.get(idOrName, scope);
  return {
    entry,
    heard: sources.liveness.of(entry.id),
    rate: sources.costs.liveRates(new Set([entry.id]), nowMs).get(entry.id) ?? null,
    pullFault: sources.pullFaultOf(entry.id),
    factsLateAfterMs: sources.factsLateAfterMs(),
  };
}
