import { NodeList, type NodeView } from "@plimsoll/contracts/rest";
import { formatQuantity } from "../format/quantity.ts";
import { UNKNOWN } from "../format/unknown.ts";
import type { CommandContext } from "../program.ts";
import { columnMaker } from "../render/table/column-maker.ts";
import { percentCell } from "../render/table/percent-cell.ts";
import type { TableColumn } from "../render/table/table-layout.ts";
import { whole } from "../rest/cluster-figures.ts";
import { ageCell } from "../rest/fleet-notes.ts";
import { openHub } from "../rest/hub-client.ts";
import { hubTarget } from "../rest/hub-target.ts";
import { readPages } from "../rest/read-pages.ts";
import { showAnswer } from "../rest/show-answer.ts";
import type { TopOptions } from "./top-command.ts";
import { topTable } from "./top-table.ts";

/** The nodes of which the most is used. Gives the exit code. */
export async function topNodes(options: TopOptions, context: CommandContext): Promise<number> {
  const { cluster, sort, limit } = options;
  const hub = openHub(await hubTarget(options, context.terminal.env), context.signal);
  return showAnswer(
    {
      ask: () => readPages(hub, "/api/v1/nodes", { cluster, sort: SORTS[sort] }, NodeList, limit),
      table: (list, place) => {
        const { items, asOf } = list;
        const basis = `Sorted by used ${sort} in % of the node's allocatable.`;
        return topTable({ list, shown: items.length, basis, columns: columns(items, asOf) }, place);
      },
      partial: ({ errors }) => errors.length > 0,
    },
    options,
    context,
  );
}

/** What the hub calls them. */
const SORTS = { cpu: "-cpuUsed", memory: "-memoryUsed", cost: "-cost" } as const;

function columns(nodes: readonly NodeView[], asOf: string): TableColumn[] {
  const column = columnMaker(nodes);
  const share = (header: string, part: Figure, of: Figure) =>
    column(header, "right", (node) => percentCell(whole(node[part]), whole(node[of])));
  return [
    column("NODE", "left", ({ name }) => name),
    column("CLUSTER", "left", ({ cluster }) => cluster),
    column("POOL", "left", ({ pool }) => pool ?? UNKNOWN),
    column("CPU USED", "right", ({ cpuUsed }) => formatQuantity("millicores", whole(cpuUsed))),
    share("USED", "cpuUsed", "cpuAllocatable"),
    share("REQ", "cpuRequested", "cpuAllocatable"),
    column("MEM USED", "right", ({ memoryUsed }) => formatQuantity("bytes", whole(memoryUsed))),
    share("USED", "memoryUsed", "memoryAllocatable"),
    share("REQ", "memoryRequested", "memoryAllocatable"),
    column("AGE", "right", ({ observedAt }) => ageCell(observedAt, asOf)),
  ];
}

type Figure = "cpuAllocatable" | "cpuRequested" | "cpuUsed" | "memoryAllocatable" | "memoryRequested" | "memoryUsed";
