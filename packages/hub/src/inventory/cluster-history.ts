import type { ClusterHistory } from "@plimsoll/contracts/rest";
import type { Store } from "../store/store.ts";
import type { Row } from "../store/tables.ts";
import type { KnownCluster } from "./cluster-view.ts";

const WINDOW_MS = 7 * 86_400_000;
const MOST_SHOWN = 100;
/** A cluster that flaps all week has more; its history then begins later. */
const MOST_READ = 5_000;

type StoredTransition = Pick<Row<"transitions">, "type" | "from_state" | "to_state" | "reason" | "at_ms">;

/** Changes of connectivity and health of a cluster over the last seven days, and what they come to. */
export async function clusterHistory(store: Store, cluster: KnownCluster, nowMs: number): Promise<ClusterHistory> {
  const startMs = Math.max(nowMs - WINDOW_MS, cluster.entry.createdAtMs);
  const newestFirst = await store.db
    .selectFrom("transitions")
    .select(["type", "from_state", "to_state", "reason", "at_ms"])
    .where("cluster_id", "=", cluster.entry.id)
    .where("at_ms", ">=", startMs)
    .orderBy("at_ms", "desc")
    .orderBy("id", "desc")
    .limit(MOST_READ)
    .execute();
  const sinceMs = newestFirst.length < MOST_READ ? startMs : (newestFirst.at(-1)?.at_ms ?? startMs);
  return summarize(newestFirst, cluster.heard.state, { sinceMs, nowMs });
}

/** `state` is the present one; a cluster that did not change had it all the time. */
export function summarize(
  newestFirst: readonly StoredTransition[],
  state: KnownCluster["heard"]["state"],
  { sinceMs, nowMs }: { readonly sinceMs: number; readonly nowMs: number },
): ClusterHistory {
  let [up, heard, outages, untilMs] = [0, 0, 0, nowMs];
  let after: string | null = state;
  const count = (fromMs: number): void => {
    const lengthMs = Math.max(0, untilMs - fromMs);
    if (after !== null && after !== "never-seen") heard += lengthMs;
    if (after === "online" || after === "late") up += lengthMs;
    untilMs = fromMs;
  };
  for (const { type, from_state, to_state, at_ms } of newestFirst) {
    if (type !== "connectivity") continue;
    count(at_ms);
    if (to_state === "offline") outages += 1;
    after = from_state;
  }
  count(sinceMs);
  return {
    since: new Date(sinceMs).toISOString(),
    uptime: heard === 0 ? null : up / heard,
    outages,
    transitions: newestFirst.filter(isChange).slice(0, MOST_SHOWN).map(present),
  };
}

/** A first health that says it is unknown changes nothing. */
function isChange({ from_state, to_state }: StoredTransition): boolean {
  return from_state !== null || to_state !== "unknown";
}

function present({ type, from_state, to_state, reason, at_ms }: StoredTransition) {
  return { at: new Date(at_ms).toISOString(), type, from: from_state, to: to_state, reason };
}
