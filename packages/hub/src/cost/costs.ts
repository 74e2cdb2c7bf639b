import type { CostAnswer, CostQuery, NamespaceView, NodeView } from "@plimsoll/contracts/rest";
import { DEFAULT_PRICE_LIST, type PriceList } from "@plimsoll/core";
import type { HeardOf } from "../coverage/heard.ts";
import type { ClusterScope } from "../store/cluster-scope.ts";
import type { Store } from "../store/store.ts";
import { hourOf } from "../warehouse/fact-batch.ts";
import { RETENTION_MS } from "../warehouse/upkeep.ts";
import type { Warehouse, WarehouseReader } from "../warehouse/warehouse.ts";
import { costAnswer } from "./cost-answer.ts";
import type { CoveredRate } from "./live-rate.ts";
import { LiveRates } from "./live-rates.ts";
import { namespaceViews } from "./namespace-views.ts";
import { nodeViews } from "./node-views.ts";
import { PricedHours } from "./priced-hours.ts";
import { PricingLoop } from "./pricing-loop.ts";
import { type PricingPass, pricingPass } from "./pricing-pass.ts";

/** Answers what things cost. Clusters are named by their display names in views. */
export interface CostAnswers {
  /**
   * Sums of priced rows, exact. The running hour counts up to its last pricing (`upTo`). Throws `parameter_invalid` naming
   * window or aggregate, `cluster_unknown`.
   */
  costOf(query: CostQuery, scope: ClusterScope, nowMs: number): Promise<CostAnswer>;
  /** By cluster id; a cluster without facts of the last hour has none. Cheap: computed when facts are priced. */
  liveRates(scope: ClusterScope, nowMs: number): ReadonlyMap<string, CoveredRate>;
  /** Namespaces with what they request, use and cost an hour now, by cluster and name. */
  namespaces(scope: ClusterScope, nowMs: number): Promise<readonly NamespaceView[]>;
  /** Nodes as last sampled, by cluster and name. */
  nodes(scope: ClusterScope, nowMs: number): Promise<readonly NodeView[]>;
}

/** Prices touched hours. */
export interface Pricing {
  /** Prices every hour whose facts changed since its last pricing. One pass at a time: a call meanwhile joins the next. */
  priceTouched(): Promise<PricingPass>;
  /** Runs `priceTouched` again and again; the pause grows with what a pass takes. */
  start(): void;
  /** Resolves when the pass that runs is over. */
  stop(): Promise<void>;
}

/** Prices touched hours, and answers what things cost. */
export interface Costs extends CostAnswers, Pricing {}

/** What pricing and its answers need. */
export interface CostsConfig {
  readonly store: Store;
  readonly warehouse: Warehouse;
  readonly now?: () => number;
  /** Default: the default book alone, in USD. */
  readonly prices?: PriceList;
  /** What is heard of clusters now, for coverage. Default: this process hears of none. */
  readonly heardOf?: HeardOf;
  /** How long usage is kept: an hour of before is not priced again. Default `RETENTION_MS.usage`. */
  readonly usageKeptMs?: number;
  /** Shortest pause between passes. Default 5,000. */
  readonly everyMs?: number;
  /** Hears of passes that priced something or failed; default: nobody. */
  readonly onPass?: (pass: PricingPass) => void;
  /** Hears why a whole pass failed; default: nobody. */
  readonly onError?: (error: unknown) => void;
}

/** What answers need where another process prices. */
export type CostReaderConfig = Omit<CostsConfig, "warehouse" | "onPass"> & { readonly warehouse: WarehouseReader };

/** Pricing over a store and a warehouse. Nothing runs before `start` or `priceTouched`. */
export function createCosts(config: CostsConfig): Costs {
  const live = new LiveRates(sourcesOf(config));
  return { ...answersOf(config, live), ...createPricing(config, ({ hours }, nowMs) => live.refresh(hours, nowMs)) };
}

/** Pricing in a process that is asked nothing; another one answers. `after` runs at the end of each pass. */
export function createPricing(
  config: CostsConfig,
  after: (pass: PricingPass, nowMs: number) => Promise<void> = async () => {},
): Pricing {
  const { store, warehouse, now = Date.now, prices = DEFAULT_PRICE_LIST, usageKeptMs = RETENTION_MS.usage } = config;
  const loop = new PricingLoop<PricingPass>({
    everyMs: config.everyMs ?? 5_000,
    onError: config.onError ?? (() => undefined),
    pass: async () => {
      const nowMs = now();
      const pass = await pricingPass({ store, warehouse, prices, usageKeptMs }, nowMs);
      await after(pass, nowMs);
      if (pass.hours.length > 0) config.onPass?.(pass);
      return pass;
    },
  });
  return { priceTouched: () => loop.once(), start: () => loop.start(), stop: () => loop.stop() };
}

/** Answers in a process that prices nothing: another one does, on the same store and warehouse. */
export function createCostReader(config: CostReaderConfig): CostAnswers & Omit<Pricing, "priceTouched"> {
  const live = new LiveRates(sourcesOf(config));
  const priced = new PricedHours(config.store);
  const { now = Date.now } = config;
  const loop = new PricingLoop<void>({
    everyMs: config.everyMs ?? 2_000,
    onError: config.onError ?? (() => undefined),
    pass: () => priced.whenChanged(hourOf(now()) - HOUR_MS, (hours) => live.refresh(hours, now())),
  });
  return { ...answersOf(config, live), start: () => loop.start(), stop: () => loop.stop() };
}

const HOUR_MS = 3_600_000;

function sourcesOf({ store, warehouse, prices = DEFAULT_PRICE_LIST, heardOf = () => null }: CostReaderConfig) {
  return { store, warehouse, prices, heardOf };
}

function answersOf(config: CostReaderConfig, live: LiveRates): CostAnswers {
  const sources = sourcesOf(config);
  const { store, warehouse } = sources;
  return {
    costOf: (query, scope, nowMs) => costAnswer(sources, query, scope, nowMs),
    liveRates: (scope, nowMs) => live.rates(scope, nowMs),
    namespaces: (scope, nowMs) => namespaceViews(store, live, scope, nowMs),
    nodes: (scope, nowMs) => nodeViews(store, warehouse, scope, nowMs),
  };
}
