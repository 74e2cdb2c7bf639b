import { PlimsollError } from "@plimsoll/contracts";
import type { DynamicFacts } from "@plimsoll/contracts/wire";
import { type ClusterScope, inScope } from "../store/cluster-scope.ts";
import type { Store } from "../store/store.ts";
import { applyReport, type ReportStamp, type ReportVerdict } from "./apply-report.ts";
import { type ClusterEntry, toClusterEntry } from "./cluster-entry.ts";
import { createTurns } from "./turns.ts";

/**
 * The registered clusters, held in memory and written through. Each cluster has one process that writes it; what others
 * write is followed. Questions are answered from memory and take a scope; what they give changes only after the store has
 * the change.
 */
export interface Registry {
  /** Clusters that are no tombstone, by name. */
  list(scope: ClusterScope): readonly ClusterEntry[];
  /** By id, else by name. Throws `cluster_unknown`, also for one outside the scope. */
  get(idOrName: string, scope: ClusterScope): ClusterEntry;
  /** By id, tombstones too; undefined = never registered. */
  find(clusterId: string): ClusterEntry | undefined;
  /**
   * Takes a report over if it is newer than what the cluster has: by (incarnation, session epoch, sequence), whatever the
   * order of arrival. Raises the resource version by one when the record changes; the row is written on change only.
   */
  applyReport(clusterId: string, stamp: ReportStamp, facts: DynamicFacts, receivedAtMs: number): Promise<ReportVerdict>;
  /** Reads a cluster's row again: for whoever wrote it. */
  reload(clusterId: string): Promise<ClusterEntry>;
  /** Reads what another process has changed of the clusters that it writes, and of new ones. */
  follow(isOthers: (mode: ClusterEntry["mode"]) => boolean): Promise<void>;
}

/** The registry of a store. `isShownElsewhere`: another process shows what this one takes in, as `ArrivedReport` has it. */
export async function openRegistry(store: Store, isShownElsewhere = false): Promise<Registry> {
  const entries = new Map<string, ClusterEntry>();
  /** What a followed row looked like, by id. */
  const followed = new Map<string, string>();
  const inTurn = createTurns();
  for (const entry of await readEntries(store)) entries.set(entry.id, entry);

  const visible = (scope: ClusterScope): ClusterEntry[] =>
    [...entries.values()].filter(({ id, phase }) => phase !== "deregistered" && inScope(scope, id));

  async function reload(clusterId: string): Promise<ClusterEntry> {
    const [entry] = await readEntries(store, clusterId);
    if (!entry) throw new PlimsollError("cluster_unknown", { cluster: clusterId });
    entries.set(clusterId, entry);
    return entry;
  }

  return {
    list: (scope) => visible(scope).sort((a, b) => (a.name < b.name ? -1 : 1)),
    get(idOrName, scope) {
      const all = visible(scope);
      const entry = all.find(({ id }) => id === idOrName) ?? all.find(({ name }) => name === idOrName);
      if (!entry) throw new PlimsollError("cluster_unknown", { cluster: idOrName.slice(0, 128) });
      return entry;
    },
    find: (clusterId) => entries.get(clusterId),
    applyReport: (clusterId, stamp, facts, receivedAtMs) =>
      inTurn(clusterId, async () => {
        const known = entries.get(clusterId);
        const { verdict, entry } = await applyReport(store, {
          clusterId,
          stamp,
          known,
          facts,
          receivedAtMs,
          isShownElsewhere,
        });
        if (entry) entries.set(clusterId, entry);
        return verdict;
      }),
    reload: (clusterId) => inTurn(clusterId, () => reload(clusterId)),
    async follow(isOthers) {
      for (const { id, mode, ...rest } of await readVersions(store)) {
        const version = JSON.stringify({ mode, ...rest });
        if (!isOthers(mode) || followed.get(id) === version) continue;
        await inTurn(id, () => reload(id));
        followed.set(id, version);
      }
    },
  };
}

/** Of every cluster what changes whenever its row does; small enough to be asked for each second. */
function readVersions(store: Store) {
  return store.db
    .selectFrom("clusters")
    .select(["id", "mode", "phase", "incarnation", "session_epoch", "report_sequence"])
    .select(["resource_version", "received_at_ms", "updated_at_ms"])
    .execute();
}

/** One cluster, or all, with the end of the certificate that each holds. */
async function readEntries(store: Store, clusterId?: string): Promise<readonly ClusterEntry[]> {
  const clusters = store.db.selectFrom("clusters").selectAll();
  const certificates = store.db
    .selectFrom("certificates")
    .select(({ fn }) => ["cluster_id", fn.max("not_after_ms").as("ends_at_ms")])
    .where("revoked_at_ms", "is", null)
    .groupBy("cluster_id");
  const one = clusterId === undefined ? null : clusterId;
  const rows = await (one === null ? clusters : clusters.where("id", "=", one)).execute();
  const ends = await (one === null ? certificates : certificates.where("cluster_id", "=", one)).execute();
  const endsAt = new Map(ends.map(({ cluster_id, ends_at_ms }) => [cluster_id, Number(ends_at_ms)]));
  return rows.map((row) => toClusterEntry(row, endsAt.get(row.id) ?? null));
}
