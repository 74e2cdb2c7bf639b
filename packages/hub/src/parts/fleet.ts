import { openPolicies, type Policies } from "../channel/policies.ts";
import { Sessions } from "../channel/sessions.ts";
import type { HubConfig, HubDeps } from "../config/hub-config.ts";
import { Liveness } from "../inventory/liveness.ts";
import { openRegistry, type Registry } from "../inventory/registry.ts";
import type { Store } from "../store/store.ts";

/** The clusters, what is heard of them, what they are told. */
export interface Fleet {
  readonly registry: Registry;
  readonly liveness: Liveness;
  readonly policies: Policies;
  readonly sessions: Sessions;
}

/** Opens the registry and begins to watch; a window of grace starts for every cluster. */
export async function openFleet(config: HubConfig, { clock, log }: HubDeps, store: Store): Promise<Fleet> {
  const registry = await openRegistry(store);
  const { beatMs, pullIntervalMs, unknownAfterBeats } = config;
  const settings = { beatMs: { push: beatMs, pull: pullIntervalMs }, unknownAfterBeats };
  return {
    registry,
    liveness: await Liveness.open({ store, clock, log, settings }, registry.list("all")),
    policies: await openPolicies(store, config.policy, clock.now()),
    sessions: new Sessions(),
  };
}
