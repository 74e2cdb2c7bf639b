/** Keys of the facts: of rows with an equal key only the newest counts. */
export const FACT_KEYS = {
  usage: ["cluster_id", "pod_uid", "interval_start_ms", "hour_start_ms"],
  node: ["cluster_id", "node_uid", "hour_start_ms"],
  gap: ["cluster_id", "start_ms", "reason", "missing", "subject", "lost_spool_id"],
  sample: ["cluster_id", "scope", "subject", "resource", "window_start_ms"],
} as const;
export type FactKind = keyof typeof FACT_KEYS;

/** What tells the newest row of a key from earlier ones: the rules of usage and node rows, with a last word for ties. */
const VERSION = "row(as_of_ms, incarnation, sequence, spool_id)";
/** A sample has no moment that it runs to: a longer window stands for those that were merged into it. */
const SAMPLE_VERSION = "row(window_ms, incarnation, sequence, spool_id)";

/**
 * A query for the newest row of each key of a source; rows of one version (a pod's resources) stay together. `where` bounds
 * the source, `key` and `version` may be others than the kind's. Versions are found on few columns first: carrying all
 * columns through a sort takes several times as long.
 */
export function newestOf(
  kind: FactKind,
  source: string,
  where = "true",
  key: readonly string[] = FACT_KEYS[kind],
  version: string = kind === "sample" ? SAMPLE_VERSION : VERSION,
): string {
  const same = key.map((column) => `facts.${column} is not distinct from latest.${column}`).join(" and ");
  return `
    select facts.* from (select *, ${version} as version from ${source} where ${where}) as facts
    semi join (select ${key.join(", ")}, max(${version}) as version from ${source} where ${where} group by all) as latest
      on ${same} and facts.version = latest.version`;
}

/** The newest row over all hours of a pod's interval. */
export const NEWEST_HOUR_VERSION = "row(hour_start_ms, as_of_ms, incarnation, sequence, spool_id)";
