import { Sessions } from "../channel/sessions.ts";
import type { HubConfig, HubDeps, HubRole } from "../config/hub-config.ts";
import { Liveness } from "../inventory/liveness.ts";
import { openRegistry, type Registry } from "../inventory/registry.ts";
import type { Store } from "../store/store.ts";

/** The clusters, and what is heard of them. */
export interface Fleet {
  readonly registry: Registry;
  readonly liveness: Liveness;
  readonly sessions: Sessions;
}

type Mode = "push" | "pull";

/** By which way clusters are heard of in a role: agents beat to control, ingest reads those without. */
const HEARD: Readonly<Record<HubRole, readonly Mode[]>> = {
  all: ["push", "pull"],
  control: ["push"],
  ingest: ["pull"],
};

/** Opens the registry and begins to watch; a window of grace starts for every cluster. */
export async function openFleet(config: HubConfig, { clock, log }: HubDeps, store: Store): Promise<Fleet> {
  const { role, beatMs, pullIntervalMs, unknownAfterBeats } = config;
  const isShownElsewhere = role === "ingest";
  const registry = await openRegistry(store, isShownElsewhere);
  const settings = { beatMs: { push: beatMs, pull: pullIntervalMs }, unknownAfterBeats };
  const hears = (mode: Mode): boolean => HEARD[role].includes(mode);
  // Control shows all of them; ingest has to do with those alone that it hears.
  const watched = registry.list("all").filter(({ mode }) => role !== "ingest" || hears(mode));
  return {
    registry,
    liveness: await Liveness.open({ store, clock, log, settings, hears, isShownElsewhere }, watched),
    sessions: new Sessions(),
  };
}
