import { ClusterList } from "@plimsoll/contracts/rest";
import type { CommandContext } from "../program.ts";
import { openHub } from "../rest/hub-client.ts";
import { hubTarget } from "../rest/hub-target.ts";
import { readPages } from "../rest/read-pages.ts";
import { showAnswer } from "../rest/show-answer.ts";
import { clustersCsv } from "./clusters-csv.ts";
import { clustersTable } from "./clusters-table.ts";
import type { GetClustersOptions } from "./get-command.ts";

/** Lists the clusters of the hub. Gives the exit code. */
export async function getClusters(options: GetClustersOptions, context: CommandContext): Promise<number> {
  const hub = openHub(await hubTarget(options, context.terminal.env), context.signal);
  const { selector, search, sort } = options;
  return showAnswer(
    {
      ask: () => readPages(hub, "/api/v1/clusters", { selector, search, sort }, ClusterList),
      table: clustersTable,
      csv: clustersCsv,
      partial: ({ errors }) => errors.length > 0,
    },
    options,
    context,
  );
}
