/** Clusters that a question may see, by id: every query of the hub takes one, so that no answer leaks by omission. */
export type ClusterScope = "all" | ReadonlySet<string>;

/** Is the cluster inside the scope? */
export function inScope(scope: ClusterScope, clusterId: string): boolean {
  return scope === "all" || scope.has(clusterId);
}
