import { setImmediate } from "node:timers/promises";
import type { HourWindow } from "../api/hour-window.ts";
import type { NamedCluster } from "../inventory/named-clusters.ts";
import type { Store } from "../store/store.ts";
import { keptSinceMs, RETENTION_MS } from "../warehouse/upkeep.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { absencesOf, type ConnectivityChange } from "./absences.ts";
import { type ClusterCoverage, clusterCoverage, type ToldHour } from "./cluster-hours.ts";
import { type CoveredFacts, gapSpans } from "./gap-spans.ts";
import type { HeardOf } from "./heard.ts";
import { quarantinedSpans } from "./quarantined-spans.ts";
import { sampledHours } from "./sampled-hours.ts";

/** Where coverage is read from. */
export interface CoverageSources {
  readonly store: Store;
  readonly warehouse: Pick<Warehouse, "gaps" | "sampled">;
  readonly heardOf: HeardOf;
  /** How long samples are kept, milliseconds; of earlier hours none are expected. Default `RETENTION_MS.sample`. */
  readonly samplesKeptMs?: number;
}

/** What is asked. */
export interface CoverageQuestion {
  readonly clusters: ReadonlyMap<string, NamedCluster>;
  readonly window: HourWindow;
  readonly facts: CoveredFacts;
  readonly nowMs: number;
  /** Figures that run up to an earlier moment, by cluster: of the time after it nothing is expected. Default: up to now. */
  readonly upTo?: ReadonlyMap<string, number>;
}

/** Many clusters are most clusters: then it is cheaper to read all and choose. */
const MANY_CLUSTERS = 100;
/** Hours of clusters after which others have their turn. */
const TURN_HOURS = 10_000;
/** What a window of samples is at most, merged of many. */
const LONGEST_SAMPLE_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;

/** The coverage of each cluster in a window, by id. */
export async function readCoverage(
  sources: CoverageSources,
  question: CoverageQuestion,
): Promise<ReadonlyMap<string, ClusterCoverage>> {
  const { store, warehouse, heardOf, samplesKeptMs = RETENTION_MS.sample } = sources;
  const { clusters, facts, nowMs, upTo } = question;
  const ids = [...clusters.keys()];
  const window = facts === "usage" ? question.window : keptWindow(question.window, keptSinceMs(samplesKeptMs, nowMs));
  const told =
    facts === "usage"
      ? await toldHours(store, ids, window)
      : sampledHours(await warehouse.sampled(ids, window.startMs - LONGEST_SAMPLE_MS, window.endMs));
  const gaps = Map.groupBy(await warehouse.gaps(ids, window.startMs, window.endMs), ({ clusterId }) => clusterId);
  const quarantined = Map.groupBy(await quarantinedSpans(store, window, facts), ({ clusterId }) => clusterId);
  const changes = await connectivityChanges(store, ids, window.startMs);
  const turn = Math.ceil((TURN_HOURS * HOUR_MS) / Math.max(window.endMs - window.startMs, HOUR_MS));
  const found = new Map<string, ClusterCoverage>();
  for (const cluster of clusters.values()) {
    if (found.size % turn === turn - 1) await setImmediate();
    const { id, mode } = cluster;
    const recorded = (gaps.get(id) ?? []).map(({ gap }) => gap);
    const coverage = clusterCoverage({
      cluster,
      window,
      expectedUpToMs: upTo?.get(id) ?? nowMs,
      told: told.get(id) ?? [],
      gaps: [...gapSpans(recorded, facts), ...(quarantined.get(id) ?? []).map(({ span }) => span)],
      absences: absencesOf({ mode, heard: heardOf(id), changes: changes.get(id) ?? [], nowMs }),
    });
    found.set(id, coverage);
  }
  return found;
}

/** What is kept of a window; none of it = an empty one. */
function keptWindow({ startMs, endMs }: HourWindow, sinceMs: number): HourWindow {
  return { startMs: Math.min(Math.max(startMs, sinceMs), endMs), endMs };
}

async function toldHours(
  store: Store,
  ids: readonly string[],
  { startMs, endMs }: HourWindow,
): Promise<ReadonlyMap<string, readonly ToldHour[]>> {
  let query = store.db
    .selectFrom("cost_hours")
    .select(["cluster_id", "hour_start_ms", "up_to_ms", "billed_ms", "unseen_ms"])
    .where("hour_start_ms", ">=", startMs)
    .where("hour_start_ms", "<", endMs)
    .where("revision", ">", 0);
  if (ids.length <= MANY_CLUSTERS) query = query.where("cluster_id", "in", ["", ...ids]);
  const hours = (await query.execute()).map((row) => ({
    clusterId: row.cluster_id,
    hourStartMs: row.hour_start_ms,
    upToMs: row.up_to_ms ?? row.hour_start_ms,
    billedMs: row.billed_ms ?? 0,
    unseenMs: row.unseen_ms ?? 0,
  }));
  return Map.groupBy(hours, ({ clusterId }) => clusterId);
}

async function connectivityChanges(
  store: Store,
  ids: readonly string[],
  sinceMs: number,
): Promise<ReadonlyMap<string, readonly ConnectivityChange[]>> {
  let query = store.db
    .selectFrom("transitions")
    .select(["cluster_id", "from_state", "to_state", "at_ms"])
    .where("type", "=", "connectivity")
    .where("at_ms", ">=", sinceMs);
  if (ids.length <= MANY_CLUSTERS) query = query.where("cluster_id", "in", ["", ...ids]);
  const changes = (await query.orderBy("at_ms").orderBy("id").execute()).map((row) => ({
    clusterId: row.cluster_id,
    fromState: row.from_state,
    toState: row.to_state,
    atMs: row.at_ms,
  }));
  return Map.groupBy(changes, ({ clusterId }) => clusterId);
}
