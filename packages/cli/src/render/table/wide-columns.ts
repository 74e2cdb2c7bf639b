import type { ClusterReport, ResourceFigures, ScanReport } from "@plimsoll/contracts";
import { formatCount, formatQuantity } from "../../format/quantity.ts";
import { UNKNOWN } from "../../format/unknown.ts";
import { type ClusterRow, extendedResources, resourceOf } from "../cluster-row.ts";
import { columnMaker } from "./column-maker.ts";
import { percentCell } from "./percent-cell.ts";
import type { TableColumn } from "./table-layout.ts";

/** What `-o wide` adds: region, limits, waiting pods' requests, pods, storage, GPUs and the address. */
export function wideColumns(report: ScanReport, rows: readonly ClusterRow[]): TableColumn[] {
  const column = columnMaker(rows);
  const of = (resource: string) => (row: ClusterRow) => resourceOf(row.cluster, resource);
  const fleet = (resource: string) => report.fleet.resources[resource];
  const share = (label: string, resource: string, figure: "limits" | "requested") =>
    column(
      label,
      "right",
      (row) => percentCell(of(resource)(row)?.[figure], of(resource)(row)?.requestedAllocatable),
      percentCell(fleet(resource)?.[figure], fleet(resource)?.requestedAllocatable),
    );
  const pending = (label: string, resource: string) =>
    column(label, "right", (row) => pendingText(of(resource)(row)), pendingText(fleet(resource)));
  const counts = (label: string, resource: string) =>
    column(label, "right", (row) => countsText(of(resource)(row)), countsText(fleet(resource)));
  return [
    column("REGION", "left", ({ cluster }) => cluster.inventory.region ?? UNKNOWN),
    column("CPU CORES", "right", (row) => allocatableText(of("cpu")(row)), allocatableText(fleet("cpu"))),
    column("MEMORY", "right", (row) => allocatableText(of("memory")(row)), allocatableText(fleet("memory"))),
    share("CPU LIMITS", "cpu", "limits"),
    share("MEM LIMITS", "memory", "limits"),
    pending("CPU PENDING", "cpu"),
    pending("MEM PENDING", "memory"),
    counts("PODS", "pods"),
    share("EPHEMERAL REQ", "ephemeral-storage", "requested"),
    ...extendedResources(report).map((name) => counts(name, name)),
    column("ENDPOINT", "left", ({ cluster }) => endpointText(cluster)),
  ];
}

function allocatableText(figures: ResourceFigures | undefined): string {
  return figures === undefined ? UNKNOWN : formatQuantity(figures.unit, figures.allocatable);
}

function pendingText(figures: ResourceFigures | undefined): string {
  return figures === undefined ? UNKNOWN : formatQuantity(figures.unit, figures.pending);
}

/** `812/2,320`: requested of allocatable. */
function countsText(figures: ResourceFigures | undefined): string {
  return figures === undefined
    ? UNKNOWN
    : `${formatCount(figures.requested)}/${formatCount(figures.requestedAllocatable ?? figures.allocatable)}`;
}

function endpointText(cluster: ClusterReport): string {
  return cluster.inventory.api_server_endpoint ?? UNKNOWN;
}
