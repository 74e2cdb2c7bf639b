import type { Batch, BatchKey, GapRow, MeteringMode, NodeRow } from "@plimsoll/contracts/wire";
import type { TouchedHour } from "../ledger/ledger.ts";
import type { SegmentFault, SegmentInfo } from "../ledger/segments.ts";
import type { SegmentKind } from "../store/tables-ledger.ts";
import type { CostRecord } from "./cost-record.ts";

/** A batch on its way into a segment. */
export interface DecodedBatch {
  readonly key: BatchKey;
  readonly batch: Batch;
}

/** Files that are durable but not yet named by the ledger, and the hours whose price they change. */
export interface AppendResult {
  readonly segments: readonly SegmentInfo[];
  readonly touched: readonly TouchedHour[];
}

/** Usage of one hour of a cluster, summed over pods that nothing tells apart. Integrals: wire units × seconds. */
export interface UsageGroup {
  readonly nodeUid: string | null;
  readonly nodeName: string;
  readonly namespace: string;
  readonly workloadType: string;
  readonly workloadName: string;
  readonly costCenter: string | null;
  readonly env: string | null;
  readonly ownerTeam: string | null;
  readonly labelSource: string;
  /** JSON text of the label set, keys sorted. */
  readonly labels: string;
  readonly mode: MeteringMode;
  /** Null = the pods have no resource at all. */
  readonly resource: string | null;
  /** Only intervals that were still open at `asOfMs`; closed ones are in a group of their own. */
  readonly open: boolean;
  readonly pods: number;
  /** Σ over the pods. */
  readonly billedMs: number;
  readonly unseenMs: number;
  readonly usageCoveredMs: number;
  readonly request: bigint;
  readonly usage: bigint;
  readonly charged: bigint;
  /** What an hour of them would be: Σ integral ÷ own billed time × 3,600 s, each rounded down. */
  readonly hourlyRequest: bigint;
  readonly hourlyUsage: bigint | null;
  readonly hourlyCharged: bigint;
  readonly asOfMs: number;
}

/** The latest sample of one node and resource. Wire units; null = unknown. */
export interface NodeSample {
  readonly clusterId: string;
  readonly nodeUid: string;
  readonly resource: string;
  readonly windowStartMs: number;
  readonly windowMs: number;
  readonly requested: number | null;
  readonly usedAvg: number | null;
  readonly usedMax: number | null;
}

/** A node of a cluster as last described. */
export interface ClusterNode {
  readonly clusterId: string;
  readonly node: NodeRow;
}

/** Priced rows to sum: hours and clusters that are asked for, with the revision that counts. */
export interface CostHour {
  readonly clusterId: string;
  readonly hourStartMs: number;
  readonly revision: number;
}

/** How to sum priced rows. */
export interface CostGrouping {
  /** Field names, or `label:KEY`. */
  readonly by: readonly string[];
  readonly namespace: string | null;
}

/** One group of priced rows: sums in nano-units of the currency, by kind of resource. */
export interface CostSum {
  /** In the order of `by`; null = the field is not set. */
  readonly values: readonly (string | null)[];
  readonly costKind: string;
  readonly currency: string;
  readonly cpu: bigint;
  readonly memory: bigint;
  readonly gpu: bigint;
  readonly total: bigint;
}

/**
 * The store of facts. What `append` and `replaceCost` return is durable (file and folder are flushed) but counts only once
 * the ledger names it. Questions read exactly the files that the ledger names at that moment. Safe to call concurrently.
 */
export interface Warehouse {
  /** Writes rows as segments, one per kind and hour. Throws `warehouse_unavailable`. */
  append(batches: readonly DecodedBatch[]): Promise<AppendResult>;
  /** Writes priced rows as segments, one per hour, registers them as the revision that counts and drops the one before. */
  writeCost(records: readonly CostRecord[]): Promise<readonly SegmentInfo[]>;

  /** Usage of one hour, the newest row of each (pod, interval) counting. */
  usageOf(clusterId: string, hourStartMs: number): Promise<readonly UsageGroup[]>;
  /** Nodes of one hour, the newest row of each. */
  nodesOf(clusterId: string, hourStartMs: number): Promise<readonly NodeRow[]>;
  /** Gaps that touch one hour, the newest row of each. */
  gapsOf(clusterId: string, hourStartMs: number): Promise<readonly GapRow[]>;
  /** Nodes as last described at or after `sinceMs`; without those that were deleted. */
  currentNodes(clusterIds: readonly string[], sinceMs: number): Promise<readonly ClusterNode[]>;
  /** The latest sample of each node and resource whose window starts at or after `sinceMs`. */
  latestNodeSamples(clusterIds: readonly string[], sinceMs: number): Promise<readonly NodeSample[]>;
  /** Sums of priced rows. */
  sumCost(hours: readonly CostHour[], grouping: CostGrouping): Promise<readonly CostSum[]>;

  /** Merges small segments, newest rows only. Returns how many files it took away. */
  compact(nowMs: number): Promise<number>;
  /** Drops segments of a kind whose hour is before `beforeMs`. Returns how many. */
  retain(kind: SegmentKind, beforeMs: number): Promise<number>;
  /** Compares files and ledger: orphans are moved aside, missing and damaged ones leave the answers. Once, before writing. */
  recover(): Promise<readonly SegmentFault[]>;
  close(): Promise<void>;
}
