import { openContext } from "@plimsoll/collect";
import type { Endpoint } from "../api/endpoint.ts";
import type { Closers } from "../config/closers.ts";
import type { HubConfig, HubDeps } from "../config/hub-config.ts";
import type { Ingest } from "../ingest/ingest.ts";
import type { FleetSources } from "../inventory/known-clusters.ts";
import type { HubMetrics } from "../metrics/hub-metrics.ts";
import { readKubeconfigText, type UsableKubeconfig } from "../pull/kubeconfig-text.ts";
import { openKubeconfig } from "../pull/kubeconfig-vault.ts";
import { pullEndpoints } from "../pull/pull-endpoints.ts";
import { PullLoop } from "../pull/pull-loop.ts";
import { PulledCluster } from "../pull/pulled-cluster.ts";
import { throttled } from "../pull/throttled-connection.ts";
import type { HubBase } from "./hub-parts.ts";

/** Requests at once to one member. */
const REQUESTS_AT_ONCE = 2;

/** Begins to read every cluster that is registered so. It makes facts: it runs where they are taken in. */
export function openPullLoop(
  config: HubConfig,
  deps: HubDeps,
  { store, keys, fleet }: HubBase,
  ingest: Ingest,
  metrics: Pick<HubMetrics, "pulled">,
  closers: Closers,
): PullLoop {
  const { clock, random, log } = deps;
  const { registry, liveness } = fleet;
  const { pullIntervalMs: intervalMs, dataDir, version: hubVersion } = config;
  const connect = connector(config, deps);
  const pullDeps = { store, registry, liveness, ingest, clock, log, dataDir, hubVersion, intervalMs };
  const isWanted = (clusterId: string): boolean => {
    const entry = registry.find(clusterId);
    return entry !== undefined && entry.mode === "pull" && entry.phase === "active";
  };
  const loop = new PullLoop({
    clock,
    random,
    log,
    intervalMs,
    concurrency: config.pullConcurrency,
    isWanted,
    onRound: metrics.pulled,
    open: async (clusterId) => {
      const { kubeconfig, context } = await openKubeconfig(store, keys.sealing, clusterId);
      const connection = await connect(await readKubeconfigText(kubeconfig, context));
      return new PulledCluster(pullDeps, registry.get(clusterId, "all"), connection);
    },
  });
  closers.add("pull loop", () => loop.stop());
  for (const { id } of registry.list("all")) if (isWanted(id)) loop.add(id);
  return loop;
}

/** Adding clusters to be read; `loop` null = another process reads them. */
export function openPullEndpoints(
  config: HubConfig,
  deps: HubDeps,
  { store, keys, fleet }: HubBase,
  sources: FleetSources,
  loop: PullLoop | null,
): readonly Endpoint[] {
  const [connect, { sessions }, { simulated }] = [connector(config, deps), fleet, config];
  return pullEndpoints({ store, sealing: keys.sealing, simulated, connect, sessions, loop, fleet: sources });
}

function connector(config: HubConfig, { clock, random }: HubDeps) {
  return async ({ kubeconfig, context }: UsableKubeconfig) => {
    // Of this process's environment only the proxy settings are a matter of the hub's owner; plug-ins never run.
    const connection = await openContext(kubeconfig, context, { clock, random, concurrency: REQUESTS_AT_ONCE });
    return throttled(connection, config.pullRequestsPerSecond, clock);
  };
}
