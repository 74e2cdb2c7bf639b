import type { Ledger } from "../ledger/ledger.ts";
import type { SpoolLosses } from "../ledger/spool-losses.ts";
import { Attempts, eachFailure } from "./attempts.ts";
import type { Warehouse } from "./warehouse.ts";
import { WAREHOUSE_KINDS, type WarehouseKind } from "./warehouse-port.ts";

const DAY_MS = 24 * 3_600_000;

/** How long facts are kept, by kind: pod-level hours 35 days, windows of five minutes 15 days, priced hours 13 months. */
export const RETENTION_MS: Readonly<Record<WarehouseKind, number>> = {
  usage: 35 * DAY_MS,
  node: 35 * DAY_MS,
  sample: 15 * DAY_MS,
  gap: 396 * DAY_MS,
  cost: 396 * DAY_MS,
};

/** Rows of batches are kept for so long; their place in the marks stays for ever. */
const BATCH_ROWS_MS = 35 * DAY_MS;

/** What upkeep needs. */
export interface UpkeepConfig {
  readonly warehouse: Warehouse;
  readonly ledger: Ledger;
  /** Default: none are looked for. */
  readonly spoolLosses?: Pick<SpoolLosses, "settle">;
  /** How long each kind is kept, milliseconds; whole days go at once, so up to a day longer. Default `RETENTION_MS`. */
  readonly retentionMs?: Readonly<Record<WarehouseKind, number>>;
  readonly now?: () => number;
  /** Between two rounds. Default a minute. */
  readonly everyMs?: number;
  /** Hears each part of a round that failed; the next round tries again. Default: nobody. */
  readonly onError?: (error: unknown) => void;
}

/** Merges small files, deletes what left the ledger, drops what is older than it is kept. */
export interface Upkeep {
  /** One round. A part that fails keeps none of the others; it is thrown at the end, several as an `AggregateError`. */
  run(): Promise<void>;
  start(): void;
  /** Resolves when the round that runs is over. */
  stop(): Promise<void>;
}

/** Upkeep of a warehouse; nothing runs before `start` or `run`. */
export function createUpkeep(config: UpkeepConfig): Upkeep {
  const { warehouse, ledger, now = Date.now, everyMs = 60_000, onError = () => undefined } = config;
  const { retentionMs = RETENTION_MS } = config;
  let timer: NodeJS.Timeout | null = null;
  let round: Promise<void> = Promise.resolve();
  let stopped = true;

  async function run(): Promise<void> {
    const nowMs = now();
    const attempts = new Attempts();
    await attempts.at(async () => config.spoolLosses?.settle(nowMs));
    await attempts.at(() => warehouse.compact(nowMs));
    for (const kind of WAREHOUSE_KINDS) {
      await attempts.at(async () => {
        const beforeMs = keptSinceMs(retentionMs[kind], nowMs);
        // Before the rows go: an hour is unknown then, never priced at nothing.
        if (kind === "cost") await ledger.forgetPrices(beforeMs);
        await warehouse.retain(kind, beforeMs, nowMs);
      });
    }
    await attempts.at(() => ledger.prune(nowMs - BATCH_ROWS_MS));
    attempts.end();
  }

  async function turn(): Promise<void> {
    round = run().catch((error: unknown) => eachFailure(error).forEach(onError));
    await round;
    if (!stopped) timer = setTimeout(() => void turn(), everyMs);
  }

  return {
    run,
    start: () => {
      if (!stopped) return;
      stopped = false;
      timer = setTimeout(() => void turn(), everyMs);
    },
    stop: async () => {
      stopped = true;
      if (timer) clearTimeout(timer);
      await round;
    },
  };
}

/** The earliest hour that upkeep keeps of facts that are kept for so long: whole days go at once. */
export function keptSinceMs(retentionMs: number, nowMs: number): number {
  return dayOf(nowMs - retentionMs);
}

function dayOf(ms: number): number {
  return ms - (ms % DAY_MS);
}
