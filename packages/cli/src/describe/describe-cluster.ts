import { ClusterDetail } from "@plimsoll/contracts/rest";
import type { CommandContext } from "../program.ts";
import { openHub } from "../rest/hub-client.ts";
import { hubTarget } from "../rest/hub-target.ts";
import { showAnswer } from "../rest/show-answer.ts";
import { clusterText } from "./cluster-text.ts";
import type { DescribeOptions } from "./describe-command.ts";

/** Describes one cluster, by name or id. Gives the exit code: 4 when nothing is heard of it now. */
export async function describeCluster(
  name: string,
  options: DescribeOptions,
  context: CommandContext,
): Promise<number> {
  const hub = openHub(await hubTarget(options, context.terminal.env), context.signal);
  return showAnswer<ClusterDetail>(
    {
      ask: () => hub.get(`/api/v1/clusters/${encodeURIComponent(name)}`, {}, ClusterDetail),
      table: (cluster, place) => clusterText(cluster, place, new Date().toISOString()),
      partial: ({ connectivity: { state } }) => state !== "online",
    },
    options,
    context,
  );
}
