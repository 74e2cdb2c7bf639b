/**
 * Why facts of a time are missing, what says most first: reasons of gap records (`GAP_REASONS`), then what the hub finds by
 * itself. `unseen_pods`: pods may have run on unseen. `pending`: on its way, no loss so far. `agent_silent`: nothing was heard of
 * a cluster that its agent reports. `cluster_unreachable`: the hub could not read the cluster itself. `facts_missing`: the
 * cluster was heard of, and nobody said why there are no facts.
 */
export const LOSS_REASONS = [
  "batches_lost",
  "hub_restored",
  "segment_lost",
  "spool_lost",
  "spool_corrupt",
  "spool_full",
  "spool_age",
  "disk_full",
  "quarantined",
  "agent_down",
  "watch_lost",
  "access_denied",
  "usage_unavailable",
  "clock_jump",
  "unseen_pods",
  "pending",
  "agent_silent",
  "cluster_unreachable",
  "facts_missing",
] as const;

const RANKS: ReadonlyMap<string, number> = new Map(LOSS_REASONS.map((reason, rank) => [reason, rank]));
/** Reasons of later releases come from gap records: they say more than what the hub finds by itself. */
const UNKNOWN_RANK = LOSS_REASONS.indexOf("unseen_pods") - 0.5;

/** Orders reasons, what says most first; the order of any two is the same everywhere. */
export function byRank(a: string, b: string): number {
  return (RANKS.get(a) ?? UNKNOWN_RANK) - (RANKS.get(b) ?? UNKNOWN_RANK) || (a < b ? -1 : 1);
}
