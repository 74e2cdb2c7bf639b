import type { Transaction } from "kysely";
import type { GappedTime, TouchedHour } from "../ledger/ledger.ts";
import type { Tables } from "../store/tables.ts";
import type { CostGrouping, CostHour, CostSum } from "./ask-cost.ts";
import type { ClusterGap } from "./ask-gaps.ts";
import type { ClusterNode } from "./ask-nodes.ts";
import type { SampledHour } from "./ask-sampled.ts";
import type { NodeSample } from "./ask-samples.ts";
import type { RunningGroup, UsageGroup } from "./ask-usage.ts";
import type { CostRecord } from "./cost-record.ts";
import type { FactBatch } from "./fact-batch.ts";

/** Kinds of facts: those of batches, and priced rows. */
export const WAREHOUSE_KINDS = ["usage", "node", "sample", "gap", "cost"] as const;
export type WarehouseKind = (typeof WAREHOUSE_KINDS)[number];

/** What is wrong with a part of the store (a file). */
export interface WarehouseFault {
  readonly path: string;
  /** missing, damaged: left out of answers. orphan: nothing names it; moved aside to `path`. */
  readonly fault: "missing" | "damaged" | "orphan";
  readonly detail: string;
}

/** Rows that survive a power cut and wait to count. */
export interface Written {
  /**
   * Makes them count as part of the commit that registers what they are of. May run again when the transaction is repeated.
   * An engine whose writes are idempotent by key may have counted them before.
   */
  count(trx: Transaction<Tables>, nowMs: number): Promise<void>;
  /** The commit was refused for certain: lets them go. */
  discard(): Promise<void>;
  /** The commit failed, maybe after it was made: lets them go later, if they do not count then. */
  abandon(): Promise<void>;
}

/** Rows of batches, and what they change. */
export interface AppendResult {
  readonly written: Written;
  /** Hours to be priced. */
  readonly touched: readonly TouchedHour[];
  /** Clusters and times of new gaps: hours of theirs that have been priced are priced again. */
  readonly gapped: readonly GappedTime[];
}

/**
 * Questions to the facts that count. Of rows with an equal key the newest counts, in whatever order they came: usage by (pod,
 * interval, hour), nodes by (node, hour), samples by (subject, resource, window), gaps by (start, reason, missing, subject).
 * Whole numbers are exact. Safe to call concurrently and while another process writes. Throws `warehouse_unavailable`.
 */
export interface WarehouseReader {
  /** Usage of one hour of some clusters, summed over pods that nothing tells apart. */
  usage(clusterIds: readonly string[], hourStartMs: number): Promise<readonly UsageGroup[]>;
  /** Nodes of the hours from `fromMs` to before `toMs`. */
  nodes(clusterIds: readonly string[], fromMs: number, toMs: number): Promise<readonly ClusterNode[]>;
  /** Pods that run now, by what was heard since the start of an hour (this one or the one before). */
  running(clusterIds: readonly string[], fromMs: number): Promise<readonly RunningGroup[]>;
  /** Nodes that exist now, by what was heard since the start of an hour. */
  currentNodes(clusterIds: readonly string[], fromMs: number): Promise<readonly ClusterNode[]>;
  /** Gaps that touch the time from `fromMs` to `toMs`. */
  gaps(clusterIds: readonly string[], fromMs: number, toMs: number): Promise<readonly ClusterGap[]>;
  /** The latest sample of each node and resource since then. */
  nodeSamples(clusterIds: readonly string[], sinceMs: number): Promise<readonly NodeSample[]>;
  /** Up to where samples run in the hours from `fromMs` to before `toMs`; an hour that none starts in is left out. */
  sampled(clusterIds: readonly string[], fromMs: number, toMs: number): Promise<readonly SampledHour[]>;
  /** Sums of priced rows: of each cluster's hour, the rows of the revision that is named and no others. */
  cost(hours: readonly CostHour[], grouping: CostGrouping): Promise<readonly CostSum[]>;
  close(): Promise<void>;
}

/** The store of facts: questions, and one writer. Every method throws `warehouse_unavailable` when disk or engine fail. */
export interface Warehouse extends WarehouseReader {
  /** Writes the rows of batches. The ledger sees to it that a batch counts once; its rows may come again in other batches. */
  append(batches: readonly FactBatch[]): Promise<AppendResult>;
  /** Writes priced rows; a cluster's hour must be there with one revision only. The revision before stays readable. */
  writeCost(records: readonly CostRecord[]): Promise<Written>;
  /** Once after a start, before anything is written: puts right what a crash or the disk left, and says it. */
  recover(): Promise<readonly WarehouseFault[]>;
  /**
   * Tidies up what was written; answers stay equal, also those on their way. Returns how many parts it saved. What fails keeps
   * nothing else from being tidied; it is thrown at the end, several failures as an `AggregateError`.
   */
  compact(nowMs: number): Promise<number>;
  /** Lets rows of a kind go that are of before `beforeMs`. Returns how many parts were touched. */
  retain(kind: WarehouseKind, beforeMs: number, nowMs: number): Promise<number>;
}
