import { reportError } from "@plimsoll/contracts";
import type { PriceList } from "@plimsoll/core";
import { commitPrices, type HourPrice, type WaitingHour, waitingHours } from "../ledger/commit-prices.ts";
import type { Store } from "../store/store.ts";
import type { CostRecord } from "../warehouse/cost-record.ts";
import { letGo } from "../warehouse/unnamed-files.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { type HourFacts, priceHour } from "./price-hour.ts";

/** What pricing needs. */
export interface PricingContext {
  readonly store: Store;
  readonly warehouse: Warehouse;
  readonly prices: PriceList;
  /** An hour whose usage may be gone must not be priced again from what is left of it. */
  readonly usageKeptMs: number;
}

/** An hour that could not be priced, with the code of the reason; it stays waiting. */
export interface UnpricedHour {
  readonly clusterId: string;
  readonly hourStartMs: number;
  readonly code: string;
  readonly message: string;
}

/** One pass of pricing. */
export interface PricingPass {
  readonly hours: readonly WaitingHour[];
  readonly records: number;
  readonly failed: readonly UnpricedHour[];
}

/** Hours of one pass: what is left comes with the next. */
const MAX_HOURS = 2_000;
/** Clusters whose facts are held at a time. */
const CLUSTERS_AT_A_TIME = 25;
const HOUR_MS = 3_600_000;

/** Prices the hours that wait, the newest first. One that fails does not keep the others. */
export async function pricingPass(context: PricingContext, nowMs: number): Promise<PricingPass> {
  const hours = await waitingHours(context.store.db, nowMs - context.usageKeptMs + HOUR_MS, MAX_HOURS);
  const failed: UnpricedHour[] = [];
  let records = 0;
  for (const group of groupsOf(hours)) {
    try {
      records += await priceGroup(context, group, nowMs, failed);
    } catch (error) {
      const { code, message } = reportError(error);
      for (const { clusterId, hourStartMs } of group) failed.push({ clusterId, hourStartMs, code, message });
    }
  }
  return { hours, records, failed };
}

/** Waiting hours of the same hour, some clusters at a time. */
function groupsOf(hours: readonly WaitingHour[]): readonly (readonly WaitingHour[])[] {
  return [...Map.groupBy(hours, ({ hourStartMs }) => hourStartMs).values()].flatMap((ofHour) =>
    Array.from({ length: Math.ceil(ofHour.length / CLUSTERS_AT_A_TIME) }, (_, index) =>
      ofHour.slice(index * CLUSTERS_AT_A_TIME, (index + 1) * CLUSTERS_AT_A_TIME),
    ),
  );
}

/** Prices one hour of some clusters in one commit. Returns the number of priced rows. */
async function priceGroup(
  { store, warehouse, prices }: PricingContext,
  group: readonly WaitingHour[],
  nowMs: number,
  failed: UnpricedHour[],
): Promise<number> {
  const facts = await readFacts(warehouse, group);
  const records: CostRecord[] = [];
  const priced: HourPrice[] = [];
  for (const each of facts) {
    try {
      const hour = priceHour(each, prices, each.hour.revision + 1);
      priced.push({ hour: each.hour, ...timesOf(each), ...hour, currency: prices.currency });
      for (const record of hour.records) records.push(record);
    } catch (error) {
      const { code, message } = reportError(error);
      failed.push({ clusterId: each.clusterId, hourStartMs: each.hourStartMs, code, message });
    }
  }
  const written = await warehouse.writeCost(records);
  const committed = store.write((trx) => commitPrices(trx, priced, written, nowMs));
  await committed.catch(async (error: unknown) => {
    await letGo(written, error);
    throw error;
  });
  return records.length;
}

interface WaitingFacts extends HourFacts {
  readonly hour: WaitingHour;
}

async function readFacts(warehouse: Warehouse, group: readonly WaitingHour[]): Promise<readonly WaitingFacts[]> {
  const clusterIds = group.map(({ clusterId }) => clusterId);
  const hourStartMs = group[0]?.hourStartMs ?? 0;
  const usage = Map.groupBy(await warehouse.usage(clusterIds, hourStartMs), ({ place }) => place.clusterId);
  const nodes = await warehouse.nodes(clusterIds, hourStartMs, hourStartMs + HOUR_MS);
  return group.map((hour) => ({
    hour,
    clusterId: hour.clusterId,
    hourStartMs,
    usage: usage.get(hour.clusterId) ?? [],
    nodes: nodes.flatMap(({ clusterId, node }) => (clusterId === hour.clusterId ? [node] : [])),
  }));
}

/** What the coverage of the hour is made of, besides gaps. */
function timesOf({ hourStartMs, usage, nodes }: WaitingFacts) {
  return {
    upToMs: [...usage, ...nodes].reduce((latest, { asOfMs }) => Math.max(latest, asOfMs), hourStartMs),
    billedMs: usage.reduce((sum, group) => sum + group.billedMs, 0),
    unseenMs: usage.reduce((sum, group) => sum + group.unseenMs, 0),
  };
}
