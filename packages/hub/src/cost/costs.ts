import type { CostAnswer, CostQuery, NamespaceView, NodeView } from "@plimsoll/contracts/rest";
import type { ClusterScope } from "../store/cluster-scope.ts";

/**
 * What a cluster costs an hour now: the machines that exist and the pods that run, each pod charged its average of this
 * hour. Amounts are nano-units of the currency; workloads + idle + system = total.
 */
export interface LiveRate {
  readonly clusterId: string;
  readonly currency: string;
  readonly total: bigint;
  readonly workloads: bigint;
  readonly idle: bigint;
  readonly system: bigint;
  /** Of the facts it is made of. */
  readonly asOfMs: number;
  /** `default`, or several joined by commas. */
  readonly priceSource: string;
  /** Nodes that are in no sum. */
  readonly unpriced: readonly string[];
}

/** One pass of the pricing loop. */
export interface PricingPass {
  readonly hours: number;
  readonly records: number;
  readonly durationMs: number;
  /** Hours that could not be priced, with the code of the reason; they stay touched. */
  readonly failed: readonly { readonly clusterId: string; readonly hourStartMs: number; readonly code: string }[];
}

/** Prices touched hours and answers what things cost. */
export interface Costs {
  /**
   * Sums of priced rows, exact. The running hour counts up to its last pricing (`upTo`). Throws `parameter_invalid` naming
   * window or aggregate.
   */
  costOf(query: CostQuery, scope: ClusterScope, nowMs: number): Promise<CostAnswer>;
  /** By cluster id; a cluster without facts of this or the last hour has none. Cheap: computed when facts are priced. */
  liveRates(scope: ClusterScope, nowMs: number): ReadonlyMap<string, LiveRate>;
  /** Namespaces with what they request, use and cost an hour now. `cluster` is the id. */
  namespaces(scope: ClusterScope, nowMs: number): readonly NamespaceView[];
  /** Nodes as last sampled. `cluster` is the id. */
  nodes(scope: ClusterScope, nowMs: number): Promise<readonly NodeView[]>;
  /** Prices every hour whose facts changed since its last pricing. One pass at a time: a second call joins the first. */
  priceTouched(nowMs: number): Promise<PricingPass>;
  /** Runs `priceTouched` again and again; the pause adapts to what a pass takes. */
  start(): void;
  stop(): Promise<void>;
}
