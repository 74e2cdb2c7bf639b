import { PlimsollError } from "@plimsoll/contracts";
import { type ClusterScope, inScope } from "../store/cluster-scope.ts";
import type { Store } from "../store/store.ts";

/** A cluster as answers about its past name it. Tombstones have a past that cost money. */
export interface NamedCluster {
  readonly id: string;
  readonly name: string;
  readonly mode: "push" | "pull";
  readonly isGone: boolean;
  readonly registeredAtMs: number;
}

/** The clusters of a scope by id; a tombstone is named by its id, for its name may be another's by now. */
export async function namedClusters(store: Store, scope: ClusterScope): Promise<ReadonlyMap<string, NamedCluster>> {
  const rows = await store.db.selectFrom("clusters").select(["id", "name", "mode", "phase", "created_at_ms"]).execute();
  return new Map(
    rows
      .filter(({ id }) => inScope(scope, id))
      .map(({ id, name, mode, phase, created_at_ms }) => {
        const isGone = phase === "deregistered";
        return [id, { id, name: isGone ? id : name, mode, isGone, registeredAtMs: created_at_ms }];
      }),
  );
}

/** Only the cluster of this id or name. Throws `cluster_unknown`. */
export function onlyCluster(
  clusters: ReadonlyMap<string, NamedCluster>,
  idOrName: string,
): ReadonlyMap<string, NamedCluster> {
  const found = clusters.get(idOrName) ?? [...clusters.values()].find(({ name }) => name === idOrName);
  if (!found) throw new PlimsollError("cluster_unknown", { cluster: idOrName.slice(0, 128) });
  return new Map([[found.id, found]]);
}
