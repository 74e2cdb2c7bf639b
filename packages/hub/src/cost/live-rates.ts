import { NOTHING_EXPECTED, type PriceList } from "@plimsoll/core";
import type { HeardOf } from "../coverage/heard.ts";
import { readCoverage } from "../coverage/read-coverage.ts";
import { namedClusters } from "../inventory/named-clusters.ts";
import type { TouchedHour } from "../ledger/ledger.ts";
import { type ClusterScope, inScope } from "../store/cluster-scope.ts";
import type { Store } from "../store/store.ts";
import { hourOf } from "../warehouse/fact-batch.ts";
import type { WarehouseReader } from "../warehouse/warehouse.ts";
import { type CoveredRate, type LiveCluster, liveCluster } from "./live-rate.ts";

/** What live figures need. */
export interface LiveContext {
  readonly store: Store;
  readonly warehouse: WarehouseReader;
  readonly prices: PriceList;
  readonly heardOf: HeardOf;
}

/** A cluster now, and how well that is backed. */
interface CoveredCluster extends LiveCluster {
  readonly rate: CoveredRate;
}

/** Figures that are older say nothing of now. */
const MAX_AGE_MS = 3_600_000;
const CLUSTERS_AT_A_TIME = 25;
const HOUR_MS = 3_600_000;

/** The live figures of all clusters, kept in memory and computed anew for those whose facts changed. */
export class LiveRates {
  private readonly context: LiveContext;
  private readonly clusters = new Map<string, CoveredCluster>();
  private isWarm = false;

  constructor(context: LiveContext) {
    this.context = context;
  }

  /** Computes the figures of clusters with changed facts of this hour or the last; the first time, of all with any. */
  async refresh(changed: readonly TouchedHour[], nowMs: number): Promise<void> {
    const fromMs = hourOf(nowMs) - HOUR_MS;
    const recent = changed.filter(({ hourStartMs }) => hourStartMs >= fromMs);
    const ids = [
      ...new Set(this.isWarm ? recent.map(({ clusterId }) => clusterId) : await this.allSince(fromMs)),
    ].sort();
    for (let start = 0; start < ids.length; start += CLUSTERS_AT_A_TIME) {
      await this.compute(ids.slice(start, start + CLUSTERS_AT_A_TIME), fromMs, nowMs);
    }
    this.isWarm = true;
  }

  rates(scope: ClusterScope, nowMs: number): ReadonlyMap<string, CoveredRate> {
    return new Map(this.current(scope, nowMs).map(([id, { rate }]) => [id, rate]));
  }

  /** Clusters in a scope whose figures are of the last hour. */
  current(scope: ClusterScope, nowMs: number): readonly (readonly [string, CoveredCluster])[] {
    return [...this.clusters].filter(([id, { rate }]) => inScope(scope, id) && rate.asOfMs > nowMs - MAX_AGE_MS);
  }

  private async compute(ids: readonly string[], fromMs: number, nowMs: number): Promise<void> {
    const { warehouse, prices } = this.context;
    const running = Map.groupBy(await warehouse.running(ids, fromMs), ({ place }) => place.clusterId);
    const nodes = Map.groupBy(await warehouse.currentNodes(ids, fromMs), ({ clusterId }) => clusterId);
    const found = new Map<string, LiveCluster>();
    for (const id of ids) {
      const rows = (nodes.get(id) ?? []).map(({ node }) => node);
      const live = liveCluster(id, rows, running.get(id) ?? [], prices);
      if (live) found.set(id, live);
      else this.clusters.delete(id);
    }
    const covered = await this.coverage(found, fromMs, nowMs);
    for (const [id, { rate, namespaces }] of found) {
      const coverage = covered.get(id)?.total ?? NOTHING_EXPECTED;
      this.clusters.set(id, { rate: { ...rate, coverage }, namespaces });
    }
  }

  /** Of what the figures are made of: a rate says how old it is, so nothing is expected of the time after it. */
  private async coverage(found: ReadonlyMap<string, LiveCluster>, fromMs: number, nowMs: number) {
    const clusters = await namedClusters(this.context.store, new Set(found.keys()));
    const upTo = new Map([...found].map(([id, { rate }]) => [id, rate.asOfMs]));
    const window = { startMs: fromMs, endMs: nowMs };
    return readCoverage(this.context, { clusters, window, facts: "usage", nowMs, upTo });
  }

  private async allSince(fromMs: number): Promise<readonly string[]> {
    const rows = await this.context.store.db
      .selectFrom("cost_hours")
      .select("cluster_id")
      .distinct()
      .where("hour_start_ms", ">=", fromMs)
      .execute();
    return rows.map(({ cluster_id }) => cluster_id);
  }
}
