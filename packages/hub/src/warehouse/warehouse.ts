import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { dropSegmentsBefore } from "../ledger/segment-rows.ts";
import type { SegmentFault, SegmentInfo } from "../ledger/segments.ts";
import type { Store } from "../store/store.ts";
import type { SegmentKind } from "../store/tables-ledger.ts";
import { type AppendResult, appendFacts } from "./append-facts.ts";
import { askCost, type CostGrouping, type CostHour, type CostSum } from "./ask-cost.ts";
import { askGaps, type ClusterGap } from "./ask-gaps.ts";
import { askCurrentNodes, askNodes, type ClusterNode } from "./ask-nodes.ts";
import { askNodeSamples, type NodeSample } from "./ask-samples.ts";
import { askRunning, askUsage, type RunningGroup, type UsageGroup } from "./ask-usage.ts";
import { compactSegments } from "./compact.ts";
import type { CostRecord } from "./cost-record.ts";
import { type Disk, REAL_DISK } from "./disk.ts";
import { Duck } from "./duck.ts";
import type { FactBatch } from "./fact-batch.ts";
import { recoverSegments, sweepGarbage } from "./recover.ts";
import { writeCost } from "./write-cost.ts";

/**
 * The store of facts. What is written is durable (file and folder are flushed) when the call resolves, but counts only once
 * the ledger names it. Questions read exactly the files that the ledger names at that moment. Safe to call concurrently; one
 * process writes. Every method throws `warehouse_unavailable` when disk or engine fail.
 */
export interface Warehouse {
  /** Writes rows as segments, one for each kind and hour. */
  append(batches: readonly FactBatch[]): Promise<AppendResult>;
  /** Removes files that the ledger certainly does not name: their commit was refused. */
  discard(segments: readonly SegmentInfo[]): Promise<void>;
  /** Writes priced rows as segments, one for each hour. */
  writeCost(records: readonly CostRecord[]): Promise<readonly SegmentInfo[]>;

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
  /** Sums of priced rows. */
  cost(hours: readonly CostHour[], grouping: CostGrouping): Promise<readonly CostSum[]>;

  /** Compares files and ledger: once after a start, before anything is written. */
  recover(): Promise<readonly SegmentFault[]>;
  /** Merges small segments and deletes files that left the ledger a while ago. Returns how many files it saved. */
  compact(nowMs: number): Promise<number>;
  /** Drops segments of a kind whose hour starts before `beforeMs`. Returns how many. */
  retain(kind: SegmentKind, beforeMs: number, nowMs: number): Promise<number>;
  close(): Promise<void>;
}

/** What a warehouse on files needs. */
export interface WarehouseConfig {
  /** Segments go below it. */
  readonly dataDir: string;
  readonly store: Store;
  /** Hears of files that are missing, damaged or moved aside. Default: nobody. */
  readonly onFault?: (fault: SegmentFault) => void;
  /** Default 256 MB; what does not fit goes to `dataDir/tmp`. */
  readonly memoryMegabytes?: number;
  /** Default 2. */
  readonly threads?: number;
  readonly disk?: Disk;
}

/** No question takes longer; a file that left the ledger before that is open nowhere. */
const GARBAGE_MS = 5 * 60_000;

/** Parquet segments below a folder, read and written by DuckDB in memory. */
export async function openWarehouse(config: WarehouseConfig): Promise<Warehouse> {
  const { dataDir, store, onFault = () => undefined, disk = REAL_DISK } = config;
  mkdirSync(dataDir, { recursive: true });
  const duck = await Duck.open({
    temporaryFolder: join(dataDir, "tmp"),
    memoryMegabytes: config.memoryMegabytes ?? 256,
    threads: config.threads ?? 2,
  });
  const target = { duck, disk, dataDir, folders: new Set<string>() };
  const files = { ...target, store, onFault };
  return {
    append: (batches) => appendFacts(target, batches),
    discard: async (segments) => {
      for (const { path } of segments) await disk.remove(join(dataDir, path));
    },
    writeCost: (records) => writeCost(target, records),
    usage: (clusterIds, hourStartMs) => askUsage(files, duck, clusterIds, hourStartMs),
    nodes: (clusterIds, fromMs, toMs) => askNodes(files, duck, clusterIds, fromMs, toMs),
    running: (clusterIds, fromMs) => askRunning(files, duck, clusterIds, fromMs),
    currentNodes: (clusterIds, fromMs) => askCurrentNodes(files, duck, clusterIds, fromMs),
    gaps: (clusterIds, fromMs, toMs) => askGaps(files, duck, clusterIds, fromMs, toMs),
    nodeSamples: (clusterIds, sinceMs) => askNodeSamples(files, duck, clusterIds, sinceMs),
    cost: (hours, grouping) => askCost(files, duck, hours, grouping),
    recover: () => recoverSegments(files),
    compact: async (nowMs) => {
      const saved = await compactSegments(files, duck, nowMs);
      await sweepGarbage(files, nowMs - GARBAGE_MS);
      return saved;
    },
    retain: (kind, beforeMs, nowMs) => store.write((trx) => dropSegmentsBefore(trx, kind, beforeMs, nowMs)),
    close: async () => duck.close(),
  };
}
