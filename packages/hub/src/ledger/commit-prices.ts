import { PlimsollError } from "@plimsoll/contracts";
import type { Kysely, Transaction } from "kysely";
import type { Tables } from "../store/tables.ts";
import type { Written } from "../warehouse/warehouse-port.ts";

/** A cluster's hour that waits for pricing, or is priced again. */
export interface WaitingHour {
  readonly clusterId: string;
  readonly hourStartMs: number;
  /** Facts as of this version are in the files by now. */
  readonly factsVersion: number;
  /** Of the priced rows that count so far; 0 = none. */
  readonly revision: number;
}

/** A cluster's hour, priced from the facts of its version. */
export interface HourPrice {
  readonly hour: WaitingHour;
  readonly upToMs: number;
  /** Σ over the pods: time that is billed, and time in which they may have run unseen. */
  readonly billedMs: number;
  readonly unseenMs: number;
  readonly currency: string;
  readonly costNanos: bigint;
  readonly priceSources: Readonly<Record<string, number>>;
  readonly unpriced: readonly string[];
}

/** Hours from `fromMs` on whose facts changed since they were priced, the newest first. */
export async function waitingHours(db: Kysely<Tables>, fromMs: number, limit: number): Promise<readonly WaitingHour[]> {
  return db
    .selectFrom("cost_hours")
    .select(["cluster_id as clusterId", "hour_start_ms as hourStartMs", "facts_version as factsVersion", "revision"])
    .whereRef("facts_version", ">", "priced_version")
    .where("hour_start_ms", ">=", fromMs)
    .orderBy("hour_start_ms", "desc")
    .orderBy("cluster_id")
    .limit(limit)
    .execute();
}

/**
 * Makes priced rows count in the place of those before, in one commit. The rows of each hour must be in `written` with its
 * revision + 1. Facts that came meanwhile keep the hour waiting. Throws `ledger_moved` when another pass priced one of them.
 */
export async function commitPrices(
  trx: Transaction<Tables>,
  prices: readonly HourPrice[],
  written: Written,
  nowMs: number,
): Promise<void> {
  for (const price of prices) await exchangePrice(trx, price, nowMs);
  await written.count(trx, nowMs);
}

async function exchangePrice(trx: Kysely<Tables>, price: HourPrice, nowMs: number): Promise<void> {
  const { clusterId, hourStartMs, factsVersion, revision } = price.hour;
  const { numUpdatedRows } = await trx
    .updateTable("cost_hours")
    .set({
      priced_version: factsVersion,
      revision: revision + 1,
      priced_at_ms: nowMs,
      up_to_ms: price.upToMs,
      billed_ms: price.billedMs,
      unseen_ms: price.unseenMs,
      currency: price.currency,
      cost_nanos: price.costNanos,
      price_sources: JSON.stringify(price.priceSources),
      unpriced: JSON.stringify(price.unpriced),
    })
    .where("cluster_id", "=", clusterId)
    .where("hour_start_ms", "=", hourStartMs)
    .where("revision", "=", revision)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new PlimsollError("ledger_moved", { batch: `prices of ${clusterId}` });
}
