import type { ClusterList, ClusterView } from "@plimsoll/contracts/rest";
import { decimalsFor, formatAmount, sumAmounts } from "../format/money.ts";
import { formatQuantity } from "../format/quantity.ts";
import { UNKNOWN } from "../format/unknown.ts";
import { formatVersion, formatVersionShort } from "../format/version.ts";
import { columnMaker } from "../render/table/column-maker.ts";
import { pairCell, percentCell } from "../render/table/percent-cell.ts";
import type { TableColumn } from "../render/table/table-layout.ts";
import {
  limitsShare,
  recordText,
  recordTexts,
  requestedShare,
  soleCurrency,
  sumShares,
  usedShare,
  watermarkOf,
  whole,
} from "../rest/cluster-figures.ts";
import { ageCell } from "../rest/fleet-notes.ts";
import { connectivityCell, healthCell, stateCell } from "./state-cells.ts";

/** What the table says in whole words; the rest is in the short forms that fit into 80 columns. */
export interface Detail {
  /** Versions with vendor suffix. */
  readonly versions: boolean;
  /** Connectivity and health in columns of their own. */
  readonly states: boolean;
  /** Requested and used in columns of their own. */
  readonly watermarks: boolean;
}

/** The columns of every table of clusters. */
export function clusterColumns(list: ClusterList, detail: Detail): TableColumn[] {
  const { items, asOf } = list;
  const column = columnMaker(items);
  return [
    column("CLUSTER", "left", ({ name }) => name, `FLEET ${countText(list)}`),
    column("TYPE", "left", typeText),
    column("VERSION", "left", (cluster) =>
      detail.versions ? formatVersion(versionsOf(cluster)) : formatVersionShort(versionsOf(cluster)),
    ),
    ...(detail.states
      ? [column("STATE", "left", connectivityCell), column("HEALTH", "left", healthCell)]
      : [column("STATE", "left", stateCell)]),
    column("READY", "right", ({ nodes }) => readyText(nodes), readyText(sumNodes(items))),
    ...watermarkColumns("CPU", "cpu", items, detail.watermarks),
    ...watermarkColumns("MEM", "memory", items, detail.watermarks),
    costColumn(items, "total"),
    column("AGE", "right", ({ observedAt }) => ageCell(observedAt, asOf)),
  ];
}

/** What `-o wide` adds. */
export function wideColumns({ items }: ClusterList): TableColumn[] {
  const column = columnMaker(items);
  const field = (header: string, name: string) =>
    column(header, "left", (cluster) => recordText(cluster, name) ?? UNKNOWN);
  const allocatable = (header: string, resource: string) =>
    column(header, "right", (cluster) => {
      const of = watermarkOf(cluster, resource);
      return of === undefined ? UNKNOWN : formatQuantity(of.unit, whole(of.allocatable));
    });
  const limits = (header: string, resource: string) =>
    column(header, "right", (cluster) => {
      const { part, whole: of } = limitsShare(watermarkOf(cluster, resource));
      return percentCell(part, of);
    });
  return [
    costColumn(items, "idle"),
    field("PROVIDER", "provider"),
    field("REGION", "region"),
    field("ENV", "environment"),
    field("COST CENTER", "cost_center"),
    field("OWNER", "owner_team"),
    allocatable("CPU CORES", "cpu"),
    allocatable("MEMORY", "memory"),
    limits("CPU LIMITS", "cpu"),
    limits("MEM LIMITS", "memory"),
    column("MODE", "left", ({ mode }) => mode),
    field("AGENT", "agent_version"),
    column("ID", "left", ({ id }) => id),
  ];
}

/** Before its first report a cluster is of no type, not of another one. */
function typeText(cluster: ClusterView): string {
  const type = recordText(cluster, "cluster_type") ?? UNKNOWN;
  return cluster.observedAt === null && type === "Other" ? UNKNOWN : type;
}

function countText({ items, total }: ClusterList): string {
  return items.length === total ? String(total) : `${items.length}/${total}`;
}

function versionsOf(cluster: ClusterView) {
  return { k8s_version: recordText(cluster, "k8s_version"), k8s_versions: recordTexts(cluster, "k8s_versions") };
}

type NodeCounts = Pick<NonNullable<ClusterView["nodes"]>, "total" | "schedulable">;

function readyText(nodes: NodeCounts | null): string {
  return nodes === null ? UNKNOWN : `${nodes.schedulable}/${nodes.total}`;
}

function sumNodes(clusters: readonly ClusterView[]): NodeCounts | null {
  const counts = clusters.flatMap(({ nodes }) => nodes ?? []);
  if (counts.length === 0) return null;
  return {
    total: counts.reduce((sum, { total }) => sum + total, 0),
    schedulable: counts.reduce((sum, { schedulable }) => sum + schedulable, 0),
  };
}

function watermarkColumns(
  label: string,
  resource: string,
  clusters: readonly ClusterView[],
  apart: boolean,
): TableColumn[] {
  const column = columnMaker(clusters);
  const requested = (cluster: ClusterView) => requestedShare(watermarkOf(cluster, resource));
  const used = (cluster: ClusterView) => usedShare(watermarkOf(cluster, resource));
  const sums = { requested: sumShares(clusters.map(requested)), used: sumShares(clusters.map(used)) };
  if (!apart) {
    const total = pairCell(sums.requested, sums.used);
    return [column(`${label} %`, "right", (cluster) => pairCell(requested(cluster), used(cluster)), total)];
  }
  return [
    column(
      `${label} REQ`,
      "right",
      (cluster) => percentCell(requested(cluster).part, requested(cluster).whole),
      percentCell(sums.requested.part, sums.requested.whole),
    ),
    column(
      `${label} USED`,
      "right",
      (cluster) => percentCell(used(cluster).part, used(cluster).whole),
      percentCell(sums.used.part, sums.used.whole),
    ),
  ];
}

/** Hourly cost, in one currency; where they differ each amount carries its own, and there is no sum. */
export function costColumn(clusters: readonly ClusterView[], of: "total" | "idle"): TableColumn {
  const currency = soleCurrency(clusters);
  const sum = sumAmounts(clusters.flatMap(({ cost }) => cost?.[of] ?? []));
  const decimals = decimalsFor(sum);
  const label = of === "total" ? (currency ?? "COST") : "IDLE";
  return columnMaker(clusters)(
    `${label}/h`,
    "right",
    ({ cost }) => {
      if (cost === null) return UNKNOWN;
      const amount = formatAmount(cost[of], decimals);
      return currency === undefined ? `${cost.currency} ${amount}` : amount;
    },
    currency === undefined ? "" : formatAmount(sum, decimals),
  );
}
