import { PlimsollError } from "@plimsoll/contracts";
import type { Closers } from "../config/closers.ts";
import type { HubDeps } from "../config/hub-config.ts";
import type { Store } from "../store/store.ts";
import type { Fleet } from "./fleet.ts";
import { Lookout } from "./lookout.ts";

/** What an ingest process knows of the control process beside it. */
export interface ControlNews {
  /** Reads a cluster and its newest session anew: one that has just joined may deliver at once. */
  refresh(clusterId: string): Promise<void>;
  /** Runs `work` now, and whenever a look is over. */
  onLook(work: () => Promise<void>): Promise<void>;
  /** For people: how old the copy of the registry is. Throws when it is too old. */
  check(): string;
}

/** Follows what the control process writes: clusters, sessions, certificates. Data streams that may not go on end. */
export async function followControl(
  deps: HubDeps,
  { store, fleet }: { readonly store: Store; readonly fleet: Pick<Fleet, "registry" | "sessions"> },
  closers: Closers,
): Promise<ControlNews> {
  const { registry, sessions } = fleet;
  const works: (() => Promise<void>)[] = [];
  const look = async (): Promise<void> => {
    await registry.follow(() => true);
    for (const session of await readSessions(store)) sessions.learn(session);
    const serials = await readSerials(store);
    sessions.review(({ clusterId, serial }) => {
      if (registry.find(clusterId)?.phase === "deregistered") return "deregistered";
      return serials.has(serial) ? null : "certificate_revoked";
    });
    for (const work of works) await work();
  };
  const lookout = await Lookout.start(deps, look, closers);
  return {
    check: () => lookout.check(),
    onLook: (work) => {
      works.push(work);
      return work();
    },
    async refresh(clusterId) {
      try {
        await registry.reload(clusterId);
      } catch (error) {
        // Whoever says that he is a cluster which never was is refused by what follows.
        if (!(error instanceof PlimsollError) || error.code !== "cluster_unknown") throw error;
      }
      for (const session of await readSessions(store, clusterId)) sessions.learn(session);
    },
  };
}

/** The newest session of each cluster, or of one, with the process that holds it. */
function readSessions(store: Store, clusterId?: string) {
  return store.db
    .selectFrom("clusters")
    .innerJoin("agents", (join) =>
      join.onRef("agents.cluster_id", "=", "clusters.id").onRef("agents.session_epoch", "=", "clusters.session_epoch"),
    )
    .select(["clusters.id as clusterId", "agents.session_epoch as epoch", "agents.instance"])
    .$if(clusterId !== undefined, (query) => query.where("clusters.id", "=", clusterId ?? ""))
    .execute();
}

async function readSerials(store: Store): Promise<ReadonlySet<string>> {
  const rows = await store.db.selectFrom("certificates").select("serial").where("revoked_at_ms", "is", null).execute();
  return new Set(rows.map(({ serial }) => serial));
}
