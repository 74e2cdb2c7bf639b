import { PlimsollError, reportError } from "@plimsoll/contracts";
import type { CostAnswer } from "@plimsoll/contracts/rest";
import type { HourWindow } from "../api/hour-window.ts";
import type { NamedCluster } from "../inventory/named-clusters.ts";
import type { Store } from "../store/store.ts";
import type { Row } from "../store/tables.ts";
import type { CostHour } from "../warehouse/ask-cost.ts";
import { hourOf } from "../warehouse/fact-batch.ts";

/** The hours that an answer is made of, and what is known about their prices. */
export interface AnswerHours {
  readonly priced: readonly CostHour[];
  /** Sorted. */
  readonly priceSources: readonly string[];
  /** Up to where the running hour counts: of the cluster that is furthest behind; null = it is not part of the window. */
  readonly runningUpToMs: number | null;
  readonly errors: readonly FleetError[];
}

/** An entry of `errors`. */
type FleetError = CostAnswer["errors"][number];
type HourRow = Row<"cost_hours">;

/** Node names of one error. */
const MAX_NAMES = 5;

/** The priced hours of some clusters in a window. */
export async function answerHours(
  store: Store,
  clusters: ReadonlyMap<string, NamedCluster>,
  window: HourWindow,
  nowMs: number,
): Promise<AnswerHours> {
  const rows = (await hourRows(store, clusters, window)).filter(({ cluster_id }) => clusters.has(cluster_id));
  const priced = rows.filter(({ revision }) => revision > 0);
  const byCluster = Map.groupBy(priced, ({ cluster_id }) => cluster_id);
  const running = priced.filter(({ hour_start_ms }) => hour_start_ms === hourOf(nowMs));
  return {
    priced: priced.map(({ cluster_id, hour_start_ms, revision }) => ({
      clusterId: cluster_id,
      hourStartMs: hour_start_ms,
      revision,
    })),
    priceSources: [...new Set(priced.flatMap(({ price_sources }) => namesOf(price_sources)))].sort(),
    runningUpToMs: window.endMs > hourOf(nowMs) ? behind(running, nowMs) : null,
    errors: [...clusters.values()].flatMap((cluster) => errorsOf(cluster, byCluster.get(cluster.id) ?? [])),
  };
}

function hourRows(
  store: Store,
  clusters: ReadonlyMap<string, NamedCluster>,
  { startMs, endMs }: HourWindow,
): Promise<readonly HourRow[]> {
  let query = store.db
    .selectFrom("cost_hours")
    .selectAll()
    .where("hour_start_ms", ">=", startMs)
    .where("hour_start_ms", "<", endMs);
  // Many clusters are most clusters: then it is cheaper to read all and choose.
  if (clusters.size <= 100) query = query.where("cluster_id", "in", ["", ...clusters.keys()]);
  return query.execute();
}

function behind(running: readonly HourRow[], nowMs: number): number {
  return running.reduce(
    (least, { up_to_ms }) => Math.min(least, up_to_ms ?? least),
    running.length > 0 ? nowMs : hourOf(nowMs),
  );
}

function errorsOf(cluster: NamedCluster, rows: readonly HourRow[]): readonly FleetError[] {
  if (rows.length === 0) {
    return cluster.isGone ? [] : [toError(cluster, new PlimsollError("cost_facts_missing", { cluster: cluster.name }))];
  }
  const names = [...new Set(rows.flatMap(({ unpriced }) => namesOf(unpriced)))].sort();
  if (names.length === 0) return [];
  const nodes = names.slice(0, MAX_NAMES).join(", ") + (names.length > MAX_NAMES ? " …" : "");
  return [toError(cluster, new PlimsollError("nodes_unpriced", { cluster: cluster.name, count: names.length, nodes }))];
}

function toError({ id, name }: NamedCluster, error: PlimsollError): FleetError {
  return { cluster: name, clusterId: id, ...reportError(error), since: null };
}

/** The texts of a stored list, or the keys of a stored record. */
function namesOf(text: string | null): readonly string[] {
  const stored: unknown = text === null ? [] : JSON.parse(text);
  if (Array.isArray(stored)) return stored.filter((name): name is string => typeof name === "string");
  return typeof stored === "object" && stored !== null ? Object.keys(stored) : [];
}
