import { randomUUID } from "node:crypto";
import type { BatchKey, GapRow, NodeRow, UsageRow } from "@plimsoll/contracts/wire";
import type { Store } from "../../packages/hub/src/store/store.ts";
import type { CostGrouping, CostHour, CostSum } from "../../packages/hub/src/warehouse/ask-cost.ts";
import type { ClusterGap } from "../../packages/hub/src/warehouse/ask-gaps.ts";
import type { ClusterNode } from "../../packages/hub/src/warehouse/ask-nodes.ts";
import type { SampledHour } from "../../packages/hub/src/warehouse/ask-sampled.ts";
import type { NodeSample } from "../../packages/hub/src/warehouse/ask-samples.ts";
import type { RunningGroup, UsageGroup } from "../../packages/hub/src/warehouse/ask-usage.ts";
import type { CostRecord } from "../../packages/hub/src/warehouse/cost-record.ts";
import type { FactBatch, FactRows } from "../../packages/hub/src/warehouse/fact-batch.ts";
import type {
  AppendResult,
  Warehouse,
  WarehouseFault,
  WarehouseKind,
  Written,
} from "../../packages/hub/src/warehouse/warehouse-port.ts";
import { costSums } from "./memory-cost.ts";
import { latestSamples, type SampleFact } from "./memory-samples.ts";
import { runningGroups, usageGroups } from "./memory-usage.ts";

/** A row with who sent it. */
export interface Sent<Row> {
  readonly key: BatchKey;
  readonly row: Row;
}

interface Write {
  readonly id: string;
  usage: readonly Sent<UsageRow>[];
  nodes: readonly Sent<NodeRow>[];
  gaps: readonly Sent<GapRow>[];
  samples: readonly Sent<SampleFact>[];
  cost: readonly CostRecord[];
}

const HOUR_MS = 3_600_000;
const STALE_MS = 11 * 60_000;
const PREFIX = "memory-warehouse ";

/**
 * The warehouse in lists, as plain as it can be: what the other engines are held against. It shares no code with them. Which
 * writes count stands in the store, so that a commit that fails counts nothing.
 */
export class MemoryWarehouse implements Warehouse {
  readonly #store: Store;
  #writes: Write[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  async append(batches: readonly FactBatch[]): Promise<AppendResult> {
    const of = <K extends FactRows["kind"]>(kind: K) =>
      batches.flatMap(({ key, facts }) => (isOf(facts, kind) ? [{ key, facts }] : []));
    const rows = <Row>(list: readonly { key: BatchKey; facts: { rows: readonly Row[] } }[]): Sent<Row>[] =>
      list.flatMap(({ key, facts }) => facts.rows.map((row) => ({ key, row })));
    const [usage, nodes, gaps] = [rows(of("usage")), rows(of("node")), rows(of("gap"))];
    const samples = of("sample").flatMap(({ key, facts }) => facts.blocks.flatMap((block) => sampleFacts(key, block)));
    const written = this.#keep({ id: randomUUID(), usage, nodes, gaps, samples, cost: [] });
    const hours = [...usage, ...nodes].map(({ key, row }) => ({
      clusterId: key.clusterId,
      hourStartMs: row.hourStartMs,
    }));
    const touched = [...new Map(hours.map((hour) => [`${hour.clusterId} ${hour.hourStartMs}`, hour])).values()];
    const gapped = [...Map.groupBy(gaps, ({ key }) => key.clusterId)].map(([clusterId, ofCluster]) => ({
      clusterId,
      fromMs: Math.min(...ofCluster.map(({ row }) => row.startMs)),
      toMs: Math.max(...ofCluster.map(({ row }) => row.endMs ?? row.asOfMs)),
    }));
    return { written, touched, gapped };
  }

  async writeCost(records: readonly CostRecord[]): Promise<Written> {
    return this.#keep({ id: randomUUID(), usage: [], nodes: [], gaps: [], samples: [], cost: records });
  }

  #keep(write: Write): Written {
    this.#writes.push(write);
    return {
      count: async (trx) => {
        await trx
          .insertInto("settings")
          .values({ key: PREFIX + write.id, value: "1", updated_at_ms: 0 })
          .execute();
      },
      discard: async () => {
        this.#writes = this.#writes.filter(({ id }) => id !== write.id);
      },
      abandon: async () => undefined,
    };
  }

  async #counted(): Promise<readonly Write[]> {
    const rows = await this.#store.db.selectFrom("settings").select("key").where("key", "like", `${PREFIX}%`).execute();
    const ids = new Set(rows.map(({ key }) => key.slice(PREFIX.length)));
    return this.#writes.filter(({ id }) => ids.has(id));
  }

  async usage(clusterIds: readonly string[], hourStartMs: number): Promise<readonly UsageGroup[]> {
    const rows = (await this.#counted())
      .flatMap(({ usage }) => usage)
      .filter(({ row }) => row.hourStartMs === hourStartMs);
    return usageGroups(newest(within(rows, clusterIds), usageKey, usageVersion));
  }

  async running(clusterIds: readonly string[], fromMs: number): Promise<readonly RunningGroup[]> {
    const rows = (await this.#counted()).flatMap(({ usage }) => usage).filter(({ row }) => row.hourStartMs >= fromMs);
    const interval = ({ key, row }: Sent<UsageRow>) => [key.clusterId, row.podUid, row.intervalStartMs];
    const last = newest(within(rows, clusterIds), interval, (sent) => [sent.row.hourStartMs, ...usageVersion(sent)]);
    return runningGroups(last, STALE_MS);
  }

  async nodes(clusterIds: readonly string[], fromMs: number, toMs: number): Promise<readonly ClusterNode[]> {
    const rows = (await this.#counted())
      .flatMap(({ nodes }) => nodes)
      .filter(({ row }) => row.hourStartMs >= fromMs && row.hourStartMs < toMs);
    const identity = ({ key, row }: Sent<NodeRow>) => [key.clusterId, row.nodeUid, row.hourStartMs];
    return newest(within(rows, clusterIds), identity, ({ key, row }) => [row.asOfMs, ...senderVersion(key)])
      .map(({ key, row }) => ({ clusterId: key.clusterId, node: row }))
      .sort((a, b) =>
        compare([a.clusterId, a.node.hourStartMs, a.node.nodeUid], [b.clusterId, b.node.hourStartMs, b.node.nodeUid]),
      );
  }

  async currentNodes(clusterIds: readonly string[], fromMs: number): Promise<readonly ClusterNode[]> {
    const all = await this.nodes(clusterIds, fromMs, Number.MAX_SAFE_INTEGER);
    return [...Map.groupBy(all, ({ clusterId }) => clusterId).values()].flatMap((ofCluster) => {
      const heardMs = Math.max(...ofCluster.map(({ node }) => node.asOfMs));
      const last = new Map(ofCluster.map((each) => [each.node.nodeUid, each]));
      return [...last.values()].filter(({ node }) => node.deletedMs === null && node.asOfMs > heardMs - STALE_MS);
    });
  }

  async gaps(clusterIds: readonly string[], fromMs: number, toMs: number): Promise<readonly ClusterGap[]> {
    const rows = (await this.#counted()).flatMap(({ gaps }) => gaps);
    const identity = ({ key, row }: Sent<GapRow>) => [
      key.clusterId,
      row.startMs,
      row.reason,
      row.missing,
      row.subject,
      row.lostSequences?.spoolId ?? null,
    ];
    return newest(within(rows, clusterIds), identity, ({ key, row }) => [row.asOfMs, ...senderVersion(key)])
      .filter(({ row }) => row.startMs < toMs && (row.endMs ?? row.asOfMs) > fromMs)
      .map(({ key, row }) => ({ clusterId: key.clusterId, gap: row }))
      .sort((a, b) => compare([a.clusterId, a.gap.startMs], [b.clusterId, b.gap.startMs]));
  }

  async nodeSamples(clusterIds: readonly string[], sinceMs: number): Promise<readonly NodeSample[]> {
    const rows = (await this.#counted()).flatMap(({ samples }) => samples);
    return latestSamples(within(rows, clusterIds), sinceMs);
  }

  async sampled(clusterIds: readonly string[], fromMs: number, toMs: number): Promise<readonly SampledHour[]> {
    const hours = new Map<string, SampledHour>();
    for (const { key, row } of within(
      (await this.#counted()).flatMap(({ samples }) => samples),
      clusterIds,
    )) {
      const hourStartMs = row.windowStartMs - (row.windowStartMs % HOUR_MS);
      if (hourStartMs < fromMs || hourStartMs >= toMs) continue;
      const { clusterId } = key;
      const name = `${clusterId} ${hourStartMs}`;
      const upToMs = Math.max(hours.get(name)?.upToMs ?? 0, row.windowStartMs + row.windowMs);
      hours.set(name, { clusterId, hourStartMs, upToMs });
    }
    return [...hours.values()];
  }

  async cost(hours: readonly CostHour[], grouping: CostGrouping): Promise<readonly CostSum[]> {
    return costSums(
      (await this.#counted()).flatMap(({ cost }) => cost),
      hours,
      grouping,
    );
  }

  async recover(): Promise<readonly WarehouseFault[]> {
    return [];
  }

  async compact(): Promise<number> {
    return 0;
  }

  async retain(kind: WarehouseKind, beforeMs: number): Promise<number> {
    const hourMs = beforeMs - (beforeMs % HOUR_MS);
    const since = <Row extends { readonly hourStartMs: number }>({ row }: Sent<Row>) => row.hourStartMs >= hourMs;
    for (const write of this.#writes) {
      if (kind === "usage") write.usage = write.usage.filter(since);
      if (kind === "node") write.nodes = write.nodes.filter(since);
      if (kind === "sample") write.samples = write.samples.filter(({ row }) => hourOf(row.windowStartMs) >= hourMs);
      if (kind === "cost") write.cost = write.cost.filter(({ hourStartMs }) => hourStartMs >= hourMs);
      if (kind === "gap") write.gaps = write.gaps.filter(({ row }) => Math.max(row.asOfMs, row.endMs ?? 0) > hourMs);
    }
    return 0;
  }

  async close(): Promise<void> {
    this.#writes = [];
  }
}

function isOf<K extends FactRows["kind"]>(facts: FactRows, kind: K): facts is Extract<FactRows, { kind: K }> {
  return facts.kind === kind;
}

function hourOf(ms: number): number {
  return ms - (ms % HOUR_MS);
}

function sampleFacts(
  key: BatchKey,
  block: Extract<FactRows, { kind: "sample" }>["blocks"][number],
): Sent<SampleFact>[] {
  return Array.from({ length: block.rows }, (_, index) => {
    const at = (column: ArrayLike<number>): number => column[index] ?? 0;
    const isMeasured = at(block.readings) > 0;
    return {
      key,
      row: {
        scope: block.scope,
        resource: block.resource,
        subject: block.subjects[at(block.subjectIndex)] ?? "",
        windowStartMs: at(block.windowStartMs),
        windowMs: at(block.windowMs),
        requested: at(block.requestedKnown) === 1 ? at(block.requested) : null,
        usedAvg: isMeasured ? at(block.usedAvg) : null,
        usedMax: isMeasured ? at(block.usedMax) : null,
      },
    };
  });
}

function within<Row>(rows: readonly Sent<Row>[], clusterIds: readonly string[]): readonly Sent<Row>[] {
  return rows.filter(({ key }) => clusterIds.includes(key.clusterId));
}

type Cell = string | number | null;

/** The row of the greatest version for each identity. */
export function newest<Row>(
  rows: readonly Sent<Row>[],
  identity: (sent: Sent<Row>) => readonly Cell[],
  version: (sent: Sent<Row>) => readonly Cell[],
): Sent<Row>[] {
  const found = new Map<string, Sent<Row>>();
  for (const sent of rows) {
    const name = JSON.stringify(identity(sent));
    const known = found.get(name);
    if (known === undefined || compare(version(sent), version(known)) > 0) found.set(name, sent);
  }
  return [...found.values()];
}

/** Who sent it, as the last word between equal moments. */
export function senderVersion({ incarnation, sequence, spoolId }: BatchKey): readonly Cell[] {
  return [incarnation, sequence, spoolId];
}

function usageKey({ key, row }: Sent<UsageRow>): readonly Cell[] {
  return [key.clusterId, row.podUid, row.intervalStartMs, row.hourStartMs];
}

function usageVersion({ key, row }: Sent<UsageRow>): readonly Cell[] {
  return [row.asOfMs, ...senderVersion(key)];
}

/** Order of lists, cell by cell. */
export function compare(one: readonly Cell[], other: readonly Cell[]): number {
  for (const [index, cell] of one.entries()) {
    const against = other[index] ?? null;
    if (cell === against) continue;
    if (cell === null || against === null) return cell === null ? -1 : 1;
    return cell < against ? -1 : 1;
  }
  return 0;
}
