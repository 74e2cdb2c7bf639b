import { PlimsollError } from "@plimsoll/contracts";
import type { DynamicFacts } from "@plimsoll/contracts/wire";
import { type ClusterScope, inScope } from "../store/cluster-scope.ts";
import type { Store } from "../store/store.ts";
import { applyReport, type ReportStamp, type ReportVerdict } from "./apply-report.ts";
import { type ClusterEntry, toClusterEntry } from "./cluster-entry.ts";
import { createTurns } from "./turns.ts";

/**
 * The registered clusters, held in memory and written through: this process is their only writer. Questions are answered
 * from memory and take a scope; what they give changes only after the store has the change.
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
}

/** The registry of a store. */
export async function openRegistry(store: Store): Promise<Registry> {
  const entries = new Map<string, ClusterEntry>();
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
        const { verdict, entry } = await applyReport(store, { clusterId, stamp, known, facts, receivedAtMs });
        if (entry) entries.set(clusterId, entry);
        return verdict;
      }),
    reload: (clusterId) => inTurn(clusterId, () => reload(clusterId)),
  };
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
