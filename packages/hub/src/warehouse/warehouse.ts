import { mkdirSync } from "node:fs";
import type { Store } from "../store/store.ts";
import { appendFacts } from "./append-facts.ts";
import { askCost } from "./ask-cost.ts";
import { askGaps } from "./ask-gaps.ts";
import { askCurrentNodes, askNodes } from "./ask-nodes.ts";
import { askSampled } from "./ask-sampled.ts";
import { askNodeSamples } from "./ask-samples.ts";
import { askRunning, askUsage } from "./ask-usage.ts";
import { Attempts } from "./attempts.ts";
import { compactSegments } from "./compact.ts";
import { type Disk, REAL_DISK } from "./disk.ts";
import { Duck } from "./duck.ts";
import { recoverSegments, sweepGarbage } from "./recover.ts";
import { retainSegments } from "./retain.ts";
import { rollUpDays } from "./roll-up-days.ts";
import type { SegmentFiles } from "./segment-reader.ts";
import { type LostSegment, settleBroken } from "./settle-broken.ts";
import { sweepTemporary, temporaryFolder } from "./temporary-folder.ts";
import { sweepAbandoned } from "./unnamed-files.ts";
import type { Warehouse, WarehouseFault, WarehouseReader } from "./warehouse-port.ts";
import { writeCost } from "./write-cost.ts";

export type { Warehouse, WarehouseReader } from "./warehouse-port.ts";

/** What a warehouse on files needs. */
export interface WarehouseConfig {
  /** Segments go below it. */
  readonly dataDir: string;
  readonly store: Store;
  /** Hears of files that are missing, damaged or moved aside. Default: nobody. */
  readonly onFault?: (fault: WarehouseFault) => void;
  /** Default 256 MB, and half of it for what appends; what does not fit goes to `dataDir/tmp`. */
  readonly memoryMegabytes?: number;
  /** Default 2. */
  readonly threads?: number;
  /** Days of as many priced rows are summed, those of fewer are read as fast. Default 100,000. */
  readonly sumFromRows?: number;
  readonly disk?: Disk;
  /** Hears of a segment that was missing or damaged, once its loss is written down. Default: nobody. */
  readonly onLost?: (lost: LostSegment) => void;
}

/**
 * A file that left the ledger is deleted so much later. A question that takes longer may not find it: it looks again at what
 * the ledger names, once.
 */
const GARBAGE_MS = 5 * 60_000;
const MEMORY_MEGABYTES = 256;

/**
 * Parquet segments below a folder, read and written by DuckDB in memory. What is written counts once the ledger names it;
 * questions read exactly the files that the ledger names at that moment. One process writes.
 */
export async function openWarehouse(config: WarehouseConfig): Promise<Warehouse> {
  mkdirSync(config.dataDir, { recursive: true });
  sweepTemporary(config.dataDir);
  const { files, duck } = await openFiles(config, false);
  const target = { ...files, duck };
  const writer = await openWriter(config);
  return {
    ...questions(files, duck),
    append: (batches) => appendFacts({ ...files, duck: writer }, batches),
    writeCost: (records) => writeCost(target, records),
    recover: () => recoverSegments(files),
    compact: async (nowMs) => {
      const attempts = new Attempts();
      await attempts.at(() => settleBroken(target, nowMs, config.onLost));
      const saved = await attempts.at(() => compactSegments(files, duck, nowMs));
      await attempts.at(() => rollUpDays(files, duck, nowMs, config.sumFromRows ?? 100_000));
      await attempts.at(() => sweepGarbage(files, nowMs - GARBAGE_MS));
      await attempts.at(() => sweepAbandoned(files, nowMs));
      attempts.end();
      return saved ?? 0;
    },
    retain: (kind, beforeMs, nowMs) => retainSegments(files, duck, kind, beforeMs, nowMs),
    close: async () => {
      writer.close();
      duck.close();
    },
  };
}

/**
 * An engine of one thread for what ingest appends: a commit's rows are too few to be shared among threads, and those that
 * wait for each other take as much of a processor as the work.
 */
function openWriter({ dataDir, memoryMegabytes = MEMORY_MEGABYTES }: WarehouseConfig): Promise<Duck> {
  const memory = Math.ceil(memoryMegabytes / 2);
  return Duck.open({ temporaryFolder: temporaryFolder(dataDir), memoryMegabytes: memory, threads: 1 });
}

/** The same facts for a process that only asks, beside the one that writes: it changes neither files nor ledger. */
export async function openWarehouseReader(config: WarehouseConfig): Promise<WarehouseReader> {
  const { files, duck } = await openFiles(config, true);
  return questions(files, duck);
}

async function openFiles(
  config: WarehouseConfig,
  readOnly: boolean,
): Promise<{ readonly files: SegmentFiles; readonly duck: Duck }> {
  const { dataDir, store, onFault = () => undefined, disk = REAL_DISK } = config;
  const duck = await Duck.open({
    temporaryFolder: temporaryFolder(dataDir),
    memoryMegabytes: config.memoryMegabytes ?? MEMORY_MEGABYTES,
    threads: config.threads ?? 2,
  });
  return { files: { disk, dataDir, folders: new Set<string>(), abandoned: new Map(), store, onFault, readOnly }, duck };
}

function questions(files: SegmentFiles, duck: Duck): WarehouseReader {
  return {
    usage: (clusterIds, hourStartMs) => askUsage(files, duck, clusterIds, hourStartMs),
    nodes: (clusterIds, fromMs, toMs) => askNodes(files, duck, clusterIds, fromMs, toMs),
    running: (clusterIds, fromMs) => askRunning(files, duck, clusterIds, fromMs),
    currentNodes: (clusterIds, fromMs) => askCurrentNodes(files, duck, clusterIds, fromMs),
    gaps: (clusterIds, fromMs, toMs) => askGaps(files, duck, clusterIds, fromMs, toMs),
    nodeSamples: (clusterIds, sinceMs) => askNodeSamples(files, duck, clusterIds, sinceMs),
    sampled: (clusterIds, fromMs, toMs) => askSampled(files, duck, clusterIds, fromMs, toMs),
    cost: (hours, grouping) => askCost(files, duck, hours, grouping),
    close: async () => duck.close(),
  };
}
