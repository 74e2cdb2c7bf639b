import { NamespaceList, type NamespaceView } from "@plimsoll/contracts/rest";
import { decimalsFor, formatAmount } from "../format/money.ts";
import { formatQuantity } from "../format/quantity.ts";
import type { CommandContext } from "../program.ts";
import { columnMaker } from "../render/table/column-maker.ts";
import type { TableColumn } from "../render/table/table-layout.ts";
import { whole } from "../rest/cluster-figures.ts";
import { ageCell } from "../rest/fleet-notes.ts";
import { openHub } from "../rest/hub-client.ts";
import { hubTarget } from "../rest/hub-target.ts";
import { readPages } from "../rest/read-pages.ts";
import { showAnswer } from "../rest/show-answer.ts";
import type { TopOptions } from "./top-command.ts";
import { topTable } from "./top-table.ts";

/** The namespaces that use or cost the most. Gives the exit code. */
export async function topNamespaces(options: TopOptions, context: CommandContext): Promise<number> {
  const { cluster, sort, limit } = options;
  const hub = openHub(await hubTarget(options, context.terminal.env), context.signal);
  return showAnswer(
    {
      ask: () => readPages(hub, "/api/v1/namespaces", { cluster, sort: SORTS[sort] }, NamespaceList, limit),
      table: (list, place) => {
        const basis = `Sorted by ${sort === "cost" ? "cost" : `used ${sort}`}. Averages of the present hour.`;
        const { items, asOf } = list;
        return topTable({ list, shown: items.length, basis, columns: columns(items, asOf), covered: items }, place);
      },
      partial: ({ errors }) => errors.length > 0,
    },
    options,
    context,
  );
}

/** What the hub calls them. */
const SORTS = { cpu: "-cpuUsed", memory: "-memoryUsed", cost: "-cost" } as const;

function columns(namespaces: readonly NamespaceView[], asOf: string): TableColumn[] {
  const column = columnMaker(namespaces);
  const currencies = new Set(namespaces.map(({ currency }) => currency));
  const sole = currencies.size === 1 ? [...currencies][0] : undefined;
  const decimals = decimalsFor(namespaces.map(({ hourly }) => hourly).sort((a, b) => Number(b) - Number(a))[0]);
  return [
    column("NAMESPACE", "left", ({ namespace }) => namespace),
    column("CLUSTER", "left", ({ cluster }) => cluster),
    column("CPU USED", "right", ({ cpuUsed }) => formatQuantity("millicores", whole(cpuUsed))),
    column("CPU REQ", "right", ({ cpuRequested }) => formatQuantity("millicores", whole(cpuRequested))),
    column("MEM USED", "right", ({ memoryUsed }) => formatQuantity("bytes", whole(memoryUsed))),
    column("MEM REQ", "right", ({ memoryRequested }) => formatQuantity("bytes", whole(memoryRequested))),
    column(`${sole ?? "COST"}/h`, "right", ({ hourly, currency }) => {
      const amount = formatAmount(hourly, decimals);
      return sole === undefined ? `${currency} ${amount}` : amount;
    }),
    column("AGE", "right", ({ observedAt }) => ageCell(observedAt, asOf)),
  ];
}
