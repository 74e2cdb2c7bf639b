import { formatMoney } from "@plimsoll/contracts";
import type { CostAnswer, CostQuery, CostRow } from "@plimsoll/contracts/rest";
import type { PriceList } from "@plimsoll/core";
import type { ClusterScope } from "../store/cluster-scope.ts";
import type { Store } from "../store/store.ts";
import type { CostSum } from "../warehouse/ask-cost.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { type AnswerHours, answerHours } from "./answer-hours.ts";
import { groupName, type NamedCostKey, parseCostKeys } from "./cost-keys.ts";
import { type CostWindow, parseCostWindow } from "./cost-window.ts";
import { type NamedCluster, namedClusters, onlyCluster } from "./named-clusters.ts";

/** What an answer about cost is made of. */
export interface CostSources {
  readonly store: Store;
  readonly warehouse: Warehouse;
  readonly prices: PriceList;
}

/** Sums of one group, nano-units. */
interface Group {
  readonly key: Readonly<Record<string, string>>;
  cpu: bigint;
  memory: bigint;
  gpu: bigint;
  total: bigint;
}

/** Answers `GET /api/v1/cost`. Throws `parameter_invalid`, `cluster_unknown`. */
export async function costAnswer(
  { store, warehouse, prices }: CostSources,
  query: CostQuery,
  scope: ClusterScope,
  nowMs: number,
): Promise<CostAnswer> {
  const window = parseCostWindow(query.window, nowMs);
  const keys = parseCostKeys(query.aggregate);
  const visible = await namedClusters(store, scope);
  const clusters = query.cluster === undefined ? visible : onlyCluster(visible, query.cluster);
  const hours = await answerHours(store, clusters, window, nowMs);
  const by = keys.map(({ key }) => key);
  const sums = await warehouse.cost(hours.priced, { by, namespace: query.namespace ?? null });
  const groups = groupSums(sums, keys, clusters);
  const row = ({ key, cpu, memory, gpu, total }: Group): CostRow => ({
    key,
    cpu: formatMoney(cpu),
    memory: formatMoney(memory),
    gpu: formatMoney(gpu),
    total: formatMoney(total),
    currency: prices.currency,
  });
  return {
    items: groups.slice(0, query.limit).map(row),
    errors: hours.errors.map((error) => ({ ...error })),
    asOf: instant(nowMs),
    next: null,
    total: groups.length,
    window: { start: instant(window.startMs), end: instant(window.endMs) },
    currency: prices.currency,
    sum: formatMoney(groups.reduce((sum, { total }) => sum + total, 0n)),
    coverage: hours.coverage,
    priceSource: hours.priceSources.join(",") || "none",
    upTo: instant(upTo(hours, window)),
  };
}

/** Groups by name, the dearest first, then by name. */
function groupSums(
  sums: readonly CostSum[],
  keys: readonly NamedCostKey[],
  clusters: ReadonlyMap<string, NamedCluster>,
): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const sum of sums) {
    const names = keys.map((key, index) =>
      displayName(key, groupName(key, sum.values[index] ?? null, sum.costKind), clusters),
    );
    const id = JSON.stringify(names);
    const group = groups.get(id) ?? { key: keyOf(keys, names), cpu: 0n, memory: 0n, gpu: 0n, total: 0n };
    groups.set(id, group);
    group.cpu += sum.cpu;
    group.memory += sum.memory;
    group.gpu += sum.gpu;
    group.total += sum.total;
  }
  return [...groups]
    .sort(([idA, a], [idB, b]) => (a.total === b.total ? (idA < idB ? -1 : 1) : a.total > b.total ? -1 : 1))
    .map(([, group]) => group);
}

function keyOf(keys: readonly NamedCostKey[], names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(keys.map(({ name }, index) => [name, names[index] ?? ""]));
}

function displayName({ key }: NamedCostKey, value: string, clusters: ReadonlyMap<string, NamedCluster>): string {
  return "field" in key && key.field === "cluster" ? (clusters.get(value)?.name ?? value) : value;
}

function upTo({ runningUpToMs }: AnswerHours, { endMs }: CostWindow): number {
  return runningUpToMs === null ? endMs : Math.min(runningUpToMs, endMs);
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
