import { ClusterList, type ClusterView } from "@plimsoll/contracts/rest";
import { formatQuantity } from "../format/quantity.ts";
import { costColumn } from "../get/cluster-columns.ts";
import { stateCell } from "../get/state-cells.ts";
import type { CommandContext } from "../program.ts";
import { columnMaker } from "../render/table/column-maker.ts";
import { percentCell } from "../render/table/percent-cell.ts";
import type { TableColumn } from "../render/table/table-layout.ts";
import { requestedShare, usedShare, watermarkOf, whole } from "../rest/cluster-figures.ts";
import { ratesOf } from "../rest/coverage-notes.ts";
import { ageCell } from "../rest/fleet-notes.ts";
import { openHub } from "../rest/hub-client.ts";
import { hubTarget } from "../rest/hub-target.ts";
import { readPages } from "../rest/read-pages.ts";
import { showAnswer } from "../rest/show-answer.ts";
import { largestFirst } from "./largest-first.ts";
import type { TopOptions, TopSort } from "./top-command.ts";
import { topTable } from "./top-table.ts";

/** The clusters that use or cost the most. Gives the exit code. */
export async function topClusters(options: TopOptions, context: CommandContext): Promise<number> {
  const { selector, sort, limit } = options;
  const hub = openHub(await hubTarget(options, context.terminal.env), context.signal);
  return showAnswer<ClusterList>(
    {
      // The hub sorts clusters by what is requested; here it is what is used, so all of them are read.
      ask: () => readPages(hub, "/api/v1/clusters", { selector }, ClusterList),
      table: (list, place) => {
        const items = largestFirst(list.items, (cluster) => figureOf(cluster, sort)).slice(0, limit);
        const basis = `Sorted by ${sort === "cost" ? "cost" : `used ${sort}`}. % of allocatable.`;
        const top = { list, shown: items.length, basis, columns: columns(items, list.asOf), covered: ratesOf(items) };
        return topTable(top, place);
      },
      partial: ({ errors }) => errors.length > 0,
    },
    options,
    context,
  );
}

function figureOf(cluster: ClusterView, sort: TopSort): bigint | number | null {
  if (sort === "cost") return cluster.cost === null ? null : Number(cluster.cost.total);
  return whole(watermarkOf(cluster, sort)?.used);
}

function columns(clusters: readonly ClusterView[], asOf: string): TableColumn[] {
  const column = columnMaker(clusters);
  return [
    column("CLUSTER", "left", ({ name }) => name),
    column("STATE", "left", stateCell),
    ...resourceColumns("CPU", "cpu", clusters),
    ...resourceColumns("MEM", "memory", clusters),
    { ...costColumn(clusters, "total"), total: { text: "" } },
    { ...costColumn(clusters, "idle"), total: { text: "" } },
    column("AGE", "right", ({ observedAt }) => ageCell(observedAt, asOf)),
  ];
}

function resourceColumns(label: string, resource: string, clusters: readonly ClusterView[]): TableColumn[] {
  const column = columnMaker(clusters);
  const of = (cluster: ClusterView) => watermarkOf(cluster, resource);
  const unit = resource === "cpu" ? "millicores" : "bytes";
  return [
    column(`${label} USED`, "right", (cluster) => formatQuantity(unit, whole(of(cluster)?.used))),
    column("USED", "right", (cluster) => percentCell(usedShare(of(cluster)).part, usedShare(of(cluster)).whole)),
    column("REQ", "right", (cluster) =>
      percentCell(requestedShare(of(cluster)).part, requestedShare(of(cluster)).whole),
    ),
  ];
}
