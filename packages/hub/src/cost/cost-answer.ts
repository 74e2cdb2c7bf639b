import { formatMoney } from "@plimsoll/contracts";
import type { CostAnswer, CostQuery, CostRow } from "@plimsoll/contracts/rest";
import { type Coverage, type PriceList, sumCoverages } from "@plimsoll/core";
import { type HourWindow, parseHourWindow } from "../api/hour-window.ts";
import type { ClusterCoverage } from "../coverage/cluster-hours.ts";
import type { HeardOf } from "../coverage/heard.ts";
import { presentCoverage } from "../coverage/present-coverage.ts";
import { readCoverage } from "../coverage/read-coverage.ts";
import { type NamedCluster, namedClusters, onlyCluster } from "../inventory/named-clusters.ts";
import type { ClusterScope } from "../store/cluster-scope.ts";
import type { Store } from "../store/store.ts";
import type { CostSum } from "../warehouse/ask-cost.ts";
import type { WarehouseReader } from "../warehouse/warehouse.ts";
import { type AnswerHours, answerHours } from "./answer-hours.ts";
import { groupName, type NamedCostKey, parseCostKeys } from "./cost-keys.ts";

/** What an answer about cost is made of. */
export interface CostSources {
  readonly store: Store;
  readonly warehouse: WarehouseReader;
  readonly prices: PriceList;
  readonly heardOf: HeardOf;
}

/** Sums of one group, nano-units. */
interface Group {
  readonly key: Readonly<Record<string, string>>;
  /** Ids of those that it is of. */
  readonly clusters: Set<string>;
  cpu: bigint;
  memory: bigint;
  gpu: bigint;
  total: bigint;
}

/** Answers `GET /api/v1/cost`. Throws `parameter_invalid`, `cluster_unknown`. */
export async function costAnswer(
  sources: CostSources,
  query: CostQuery,
  scope: ClusterScope,
  nowMs: number,
): Promise<CostAnswer> {
  const { store, warehouse, prices } = sources;
  const window = parseHourWindow(query.window, nowMs);
  const keys = parseCostKeys(query.aggregate);
  const visible = await namedClusters(store, scope);
  const clusters = query.cluster === undefined ? visible : onlyCluster(visible, query.cluster);
  const hours = await answerHours(store, clusters, window, nowMs);
  // The last key tells whose coverage a group has.
  const by = [...keys.map(({ key }) => key), { field: "cluster" } as const];
  const [covered, sums] = await Promise.all([
    readCoverage(sources, { clusters, window, facts: "usage", nowMs }),
    warehouse.cost(hours.priced, { by, namespace: query.namespace ?? null }),
  ]);
  const groups = groupSums(sums, keys, clusters);
  const row = ({ key, clusters: of, cpu, memory, gpu, total }: Group): CostRow => ({
    key,
    cpu: formatMoney(cpu),
    memory: formatMoney(memory),
    gpu: formatMoney(gpu),
    total: formatMoney(total),
    currency: prices.currency,
    coverage: presentCoverage(coverageOf(covered, of)),
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
    coverage: presentCoverage(coverageOf(covered, clusters.keys())),
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
    const group = groups.get(id) ?? {
      key: keyOf(keys, names),
      clusters: new Set(),
      cpu: 0n,
      memory: 0n,
      gpu: 0n,
      total: 0n,
    };
    groups.set(id, group);
    group.clusters.add(sum.values[keys.length] ?? "");
    group.cpu += sum.cpu;
    group.memory += sum.memory;
    group.gpu += sum.gpu;
    group.total += sum.total;
  }
  return [...groups]
    .sort(([idA, a], [idB, b]) => (a.total === b.total ? (idA < idB ? -1 : 1) : a.total > b.total ? -1 : 1))
    .map(([, group]) => group);
}

function coverageOf(covered: ReadonlyMap<string, ClusterCoverage>, clusterIds: Iterable<string>): Coverage {
  return sumCoverages([...clusterIds].flatMap((id) => covered.get(id)?.total ?? []));
}

function keyOf(keys: readonly NamedCostKey[], names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(keys.map(({ name }, index) => [name, names[index] ?? ""]));
}

function displayName({ key }: NamedCostKey, value: string, clusters: ReadonlyMap<string, NamedCluster>): string {
  return "field" in key && key.field === "cluster" ? (clusters.get(value)?.name ?? value) : value;
}

function upTo({ runningUpToMs }: AnswerHours, { endMs }: HourWindow): number {
  return runningUpToMs === null ? endMs : Math.min(runningUpToMs, endMs);
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
