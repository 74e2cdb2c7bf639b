/** What tells the newest row of a key from earlier ones: the rules of usage and node rows, with a last word for ties. */
export const NEWEST_FIRST = "as_of_ms desc, incarnation desc, sequence desc, spool_id desc";

/** Keys of the facts: of rows with an equal key only the newest counts. */
export const FACT_KEYS = {
  usage: "cluster_id, pod_uid, interval_start_ms, hour_start_ms",
  node: "cluster_id, node_uid, hour_start_ms",
  gap: "cluster_id, start_ms, reason, missing, subject, lost_spool_id",
  sample: "cluster_id, scope, subject, resource, window_start_ms",
} as const;

/** `qualify` that keeps the newest row of each key; rows of one version (a pod's resources) stay together. */
export function onlyNewest(kind: keyof typeof FACT_KEYS): string {
  const order = kind === "sample" ? "window_ms desc, incarnation desc, sequence desc, spool_id desc" : NEWEST_FIRST;
  return `qualify rank() over (partition by ${FACT_KEYS[kind]} order by ${order}) = 1`;
}
