import type { HubDeps } from "../config/hub-config.ts";
import type { PullLoop } from "../pull/pull-loop.ts";
import { storePullFault } from "../pull/stored-faults.ts";
import type { Store } from "../store/store.ts";
import type { ControlNews } from "./follow-control.ts";
import type { HubBase } from "./hub-parts.ts";
import { type IngestPlace, tellIngestPlace } from "./ingest-place.ts";

/** How often an ingest process says that it is there, milliseconds. */
const TELL_EVERY_MS = 5_000;

/** What an ingest process tells the control process, by the store, and reads because that says so. */
interface Announced extends Omit<IngestPlace, "seenAtMs"> {
  readonly news: ControlNews;
  readonly pull: PullLoop;
}

/** Says where this process is, again and again; reads the clusters that are registered so, and says which cannot be read. */
export async function announceIngest({ clock }: HubDeps, base: HubBase, announced: Announced): Promise<void> {
  const { store } = base;
  const { address, url, news, pull } = announced;
  const pulled = new PulledClusters(base, pull);
  let toldAtMs = Number.NEGATIVE_INFINITY;
  await news.onLook(async () => {
    if (clock.now() - toldAtMs >= TELL_EVERY_MS) {
      toldAtMs = clock.now();
      await tellIngestPlace(store, { address, url, seenAtMs: toldAtMs });
    }
    await pulled.follow();
    await pulled.tellFaults(clock.now());
  });
}

/** The clusters without an agent, as control registers them. */
class PulledClusters {
  readonly #base: HubBase;
  readonly #pull: PullLoop;
  /** Id of the credential that each is read with, by cluster. */
  readonly #credentials = new Map<string, string>();
  /** What was told of each, by cluster. */
  readonly #told = new Map<string, string | null>();

  constructor(base: HubBase, pull: PullLoop) {
    this.#base = base;
    this.#pull = pull;
  }

  /** Takes up clusters that were added, and new credentials; lets go of those that have an agent now, or are gone. */
  async follow(): Promise<void> {
    const { store, fleet } = this.#base;
    const wanted = new Map(
      fleet.registry.list("all").flatMap((entry) => (entry.mode === "pull" ? [[entry.id, entry] as const] : [])),
    );
    for (const id of this.#credentials.keys()) if (!wanted.has(id)) this.#release(id);
    for (const { id, cluster_id } of await readCredentials(store)) {
      const before = this.#credentials.get(cluster_id);
      if (!wanted.has(cluster_id) || before === id) continue;
      this.#credentials.set(cluster_id, id);
      fleet.liveness.watch({ id: cluster_id, mode: "pull" });
      this.#pull.add(cluster_id, 0);
    }
  }

  async tellFaults(nowMs: number): Promise<void> {
    for (const clusterId of this.#credentials.keys()) {
      const fault = this.#pull.faultOf(clusterId);
      const code = fault?.code ?? null;
      if (this.#told.get(clusterId) === code) continue;
      await storePullFault(this.#base.store, clusterId, fault, nowMs);
      this.#told.set(clusterId, code);
    }
  }

  #release(clusterId: string): void {
    this.#credentials.delete(clusterId);
    this.#told.delete(clusterId);
    this.#pull.remove(clusterId);
    this.#base.fleet.liveness.forget(clusterId);
  }
}

function readCredentials(store: Store) {
  return store.db.selectFrom("credentials").select(["id", "cluster_id"]).execute();
}
