import { CostAnswer } from "@plimsoll/contracts/rest";
import { lossCell } from "../format/coverage.ts";
import type { CommandContext } from "../program.ts";
import { type CsvValue, csvLine } from "../render/csv-cell.ts";
import { openHub } from "../rest/hub-client.ts";
import { hubTarget } from "../rest/hub-target.ts";
import { showAnswer } from "../rest/show-answer.ts";
import type { CostOptions } from "./cost-command.ts";
import { costTable } from "./cost-table.ts";

/** The most groups that a hub gives. */
const LIMIT = 10_000;

/** What the fleet cost in a window, by group. Gives the exit code. */
export async function cost(options: CostOptions, context: CommandContext): Promise<number> {
  const { by: aggregate, window, cluster, namespace } = options;
  const hub = openHub(await hubTarget(options, context.terminal.env), context.signal);
  return showAnswer<CostAnswer>(
    {
      ask: () => hub.get("/api/v1/cost", { window, aggregate, cluster, namespace, limit: LIMIT }, CostAnswer),
      table: costTable,
      csv: costCsv,
      partial: ({ errors }) => errors.length > 0,
    },
    options,
    context,
  );
}

/** One row per group: its keys, amounts as exact decimals, the window, and how much of it is backed by facts. */
function costCsv({ items, window, upTo }: CostAnswer): string {
  const keys = Object.keys(items[0]?.key ?? {});
  const row = (cells: readonly CsvValue[]) => csvLine(cells);
  const header = [...keys.map((key) => key.replaceAll("-", "_")), "cpu", "memory", "gpu", "total", "currency"];
  return (
    row([...header, "window_start", "window_end", "up_to", "coverage", "coverage_reasons"]) +
    items
      .map(({ key, cpu, memory, gpu, total, currency, coverage }) =>
        row([
          ...keys.map((name) => key[name] ?? null),
          cpu,
          memory,
          gpu,
          total,
          currency,
          window.start,
          window.end,
          upTo,
          coverage.fraction,
          lossCell(coverage),
        ]),
      )
      .join("")
  );
}
