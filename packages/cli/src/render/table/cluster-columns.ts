import type { FleetTotals, ResourceFigures, ScanReport, Severity } from "@plimsoll/contracts";
import { decimalsFor, formatAmount } from "../../format/money.ts";
import { formatNodes, formatNodesShort } from "../../format/node-states.ts";
import { UNKNOWN } from "../../format/unknown.ts";
import { formatVersion, formatVersionShort } from "../../format/version.ts";
import { type ClusterRow, countFindings, resourceOf, soleCurrency } from "../cluster-row.ts";
import { columnMaker } from "./column-maker.ts";
import { pairCell, percentCell } from "./percent-cell.ts";
import type { Cell, TableColumn } from "./table-layout.ts";

/** What a table says in whole words; the rest is in the short forms that fit into 80 columns. */
export interface Detail {
  /** Versions with vendor suffix. */
  readonly versions: boolean;
  /** Nodes by state instead of ready/all. */
  readonly nodes: boolean;
  /** Requested and used in columns of their own. */
  readonly watermarks: boolean;
  /** Severities by name instead of C, W, I. */
  readonly findings: boolean;
}

/** Marks a row that errors below the table belong to. */
const PARTIAL = "✗";

type Figures = Pick<ResourceFigures, "requested" | "requestedAllocatable" | "used" | "usedAllocatable">;

/** The columns that every table has: what each cluster is, how full, what it costs, what to look at. */
export function clusterColumns(report: ScanReport, rows: readonly ClusterRow[], detail: Detail): TableColumn[] {
  const column = columnMaker(rows);
  const { fleet } = report;
  return [
    column("CLUSTER", "left", ({ cluster }) => cluster.inventory.cluster_name, `FLEET ${readOf(fleet)}`),
    column("TYPE", "left", ({ cluster, unread }) => (unread ? UNKNOWN : cluster.inventory.cluster_type)),
    column("VERSION", "left", ({ cluster }) =>
      detail.versions ? formatVersion(cluster.inventory) : formatVersionShort(cluster.inventory),
    ),
    nodesColumn(rows, fleet, detail.nodes),
    ...watermarkColumns("CPU", "cpu", rows, fleet, detail.watermarks),
    ...watermarkColumns("MEM", "memory", rows, fleet, detail.watermarks),
    ...costColumns(report, rows),
    findingsColumn(rows, fleet, detail.findings),
  ];
}

function readOf(fleet: FleetTotals): string {
  return fleet.clustersRead === fleet.clusters ? `${fleet.clusters}` : `${fleet.clustersRead}/${fleet.clusters}`;
}

function nodesColumn(rows: readonly ClusterRow[], fleet: FleetTotals, inWords: boolean): TableColumn {
  const format = inWords ? formatNodes : formatNodesShort;
  const header = inWords ? "NODES" : "READY";
  return columnMaker(rows)(
    header,
    "left",
    ({ cluster }) => format(cluster.capacity?.nodes ?? null),
    format(fleet.nodes),
  );
}

function watermarkColumns(
  label: string,
  resource: string,
  rows: readonly ClusterRow[],
  fleet: FleetTotals,
  apart: boolean,
): TableColumn[] {
  const column = columnMaker(rows);
  const total = fleet.resources[resource];
  if (!apart) {
    return [column(`${label} %`, "right", ({ cluster }) => pairOf(resourceOf(cluster, resource)), pairOf(total))];
  }
  const requested = (of: Figures | undefined) => percentCell(of?.requested, of?.requestedAllocatable);
  const used = (of: Figures | undefined) => percentCell(of?.used, of?.usedAllocatable);
  return [
    column(`${label} REQ`, "right", ({ cluster }) => requested(resourceOf(cluster, resource)), requested(total)),
    column(`${label} USED`, "right", ({ cluster }) => used(resourceOf(cluster, resource)), used(total)),
  ];
}

function pairOf(figures: Figures | undefined): Cell {
  return pairCell(
    { part: figures?.requested, whole: figures?.requestedAllocatable },
    { part: figures?.used, whole: figures?.usedAllocatable },
  );
}

function costColumns(report: ScanReport, rows: readonly ClusterRow[]): TableColumn[] {
  const column = columnMaker(rows);
  const currency = soleCurrency(report);
  const sum = currency === undefined ? undefined : report.fleet.cost[0]?.hourly;
  const decimals = decimalsFor(sum?.total ?? "1");
  const amount = (row: ClusterRow, of: "total" | "idle") => {
    const { cost } = row.cluster;
    if (cost === null) return UNKNOWN;
    const text = formatAmount(cost.hourly[of], decimals);
    return currency === undefined ? `${cost.currency} ${text}` : text;
  };
  const total = (of: "total" | "idle") => {
    if (sum !== undefined) return formatAmount(sum[of], decimals);
    return report.fleet.cost.length > 1 ? "see below" : UNKNOWN;
  };
  return [
    column(currency === undefined ? "COST/h" : `${currency}/h`, "right", (row) => amount(row, "total"), total("total")),
    column("IDLE/h", "right", (row) => amount(row, "idle"), total("idle")),
  ];
}

function findingsColumn(rows: readonly ClusterRow[], fleet: FleetTotals, inWords: boolean): TableColumn {
  return columnMaker(rows)(
    "FINDINGS",
    "left",
    (row) =>
      row.unread ? unreadCell(row, inWords) : findingsCell(countFindings(row.cluster), inWords, row.errors.length > 0),
    fleet.clustersRead === 0 ? { text: UNKNOWN } : findingsCell(fleet.findings, inWords, false),
  );
}

function unreadCell(row: ClusterRow, inWords: boolean): Cell {
  return { text: `${PARTIAL} ${inWords ? (row.errors[0]?.code ?? "not read") : "not read"}`, style: "red" };
}

function findingsCell(counts: Readonly<Record<Severity, number>>, inWords: boolean, partial: boolean): Cell {
  const parts = (["critical", "warning", "info"] as const)
    .filter((severity) => counts[severity] > 0)
    .map((severity) => `${counts[severity]}${inWords ? ` ${severity}` : severity[0]?.toUpperCase()}`);
  const found = parts.length === 0 ? "none" : parts.join(inWords ? ", " : " ");
  const text = partial ? `${found} ${PARTIAL}` : found;
  if (counts.critical > 0) return { text, style: "red" };
  return counts.warning > 0 ? { text, style: "yellow" } : { text };
}
