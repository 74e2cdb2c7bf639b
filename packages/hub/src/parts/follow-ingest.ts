import type { Closers } from "../config/closers.ts";
import type { HubDeps } from "../config/hub-config.ts";
import type { PullFault } from "../pull/pull-loop.ts";
import { readPullFaults } from "../pull/stored-faults.ts";
import type { Store } from "../store/store.ts";
import type { Fleet } from "./fleet.ts";
import { type IngestPlace, readIngestPlace } from "./ingest-place.ts";
import { Lookout } from "./lookout.ts";

/** What a control process knows of the ingest process beside it. */
export interface IngestNews {
  /** `host:port` for agents; null = there has been none yet. */
  address(): string | null;
  /** Of its own REST port; null = there has been none yet. */
  url(): string | null;
  /** Why a pulled cluster is not read; null = it is, or nobody tried yet. */
  faultOf(clusterId: string): PullFault | null;
  /** Calls `listener` when the address becomes another. */
  onMove(listener: () => void): void;
  /** For people: when it was last heard of. Its absence is no reason not to serve. */
  check(): string;
}

/** An ingest process says each few seconds that it is there; longer silent it is down, milliseconds. */
const SILENT_MS = 20_000;

/** Follows what the ingest process writes: where it is, and the clusters that it reads itself. */
export async function followIngest(
  deps: HubDeps,
  { store, fleet }: { readonly store: Store; readonly fleet: Pick<Fleet, "registry" | "liveness"> },
  closers: Closers,
): Promise<IngestNews> {
  const { clock } = deps;
  let place: IngestPlace | null = null;
  let faults: ReadonlyMap<string, PullFault> = new Map();
  const listeners: (() => void)[] = [];
  const look = async (): Promise<void> => {
    await fleet.registry.follow((mode) => mode === "pull");
    await fleet.liveness.learn();
    faults = await readPullFaults(store);
    const before = place?.address;
    place = await readIngestPlace(store);
    if (place?.address !== before) for (const listener of listeners) listener();
  };
  const lookout = await Lookout.start(deps, look, closers);
  return {
    address: () => place?.address ?? null,
    url: () => place?.url ?? null,
    faultOf: (clusterId) => faults.get(clusterId) ?? null,
    onMove: (listener) => void listeners.push(listener),
    check: () => {
      lookout.check();
      if (place === null) return "none has been started yet";
      const silentMs = clock.now() - place.seenAtMs;
      return silentMs < SILENT_MS ? `at ${place.address}` : `not heard of for ${Math.round(silentMs / 1000)} s`;
    },
  };
}
