import type { JsonText, Millis } from "./tables.ts";

/**
 * One hour of one cluster: whether its facts are priced, and how well they are backed. An hour waits for pricing while
 * `facts_version` > `priced_version`. Primary key: (cluster, hour).
 */
export interface CostHoursTable {
  cluster_id: string;
  hour_start_ms: Millis;
  /** Raised with each commit of facts of this hour. */
  facts_version: number;
  /** The facts version that the priced rows are made of; 0 = never priced. */
  priced_version: number;
  /** Revision of the priced rows that count; 0 = none. */
  revision: number;
  priced_at_ms: Millis | null;
  /** The priced rows run up to here. */
  up_to_ms: Millis | null;
  /** Σ over the pods of the hour: time that is billed, and time in which they may have run unseen. Null = as if none. */
  billed_ms: number | null;
  unseen_ms: number | null;
  currency: string | null;
  /** Sum of the priced rows, nano-units. */
  cost_nanos: bigint | null;
  /** Sources of the prices, with the number of nodes. */
  price_sources: JsonText | null;
  /** Nodes (and pods on nodes that nobody described) that are in no sum, by name. */
  unpriced: JsonText | null;
}

/** State of pricing. */
export interface CostTables {
  cost_hours: CostHoursTable;
}
