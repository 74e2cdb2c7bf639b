import { setTimeout as sleep } from "node:timers/promises";
import { PlimsollError } from "@plimsoll/contracts";
import { ClusterList, type ClusterView } from "@plimsoll/contracts/rest";
import type { RunningHub } from "@plimsoll/hub";
import type { CommandContext } from "../program.ts";
import { recordText } from "../rest/cluster-figures.ts";
import { openHub } from "../rest/hub-client.ts";

const ERASE_LINE = "\r\u001b[2K";
const EVERY_MS = 500;

/** Resolves with the fleet once every cluster has a version, watermarks and an hourly cost; shows how far it is meanwhile. */
export async function untilComplete(hub: RunningHub, clusters: number, context: CommandContext): Promise<ClusterList> {
  const { terminal, signal } = context;
  const client = openHub({ url: hub.url, token: hub.adminToken, ca: undefined }, signal);
  const say = (text: string) => terminal.err.isTerminal && terminal.err.write(ERASE_LINE + text);
  for (;;) {
    // A machine that is busy with the start may be late with an answer: that is no reason to end.
    const answer = await client.get("/api/v1/clusters", { limit: 1000 }, ClusterList).catch(unlessRetryable);
    const items = answer?.value.items ?? [];
    const complete = items.filter(isComplete).length;
    if (answer !== undefined && complete >= clusters) {
      say("");
      return answer.value;
    }
    say(`${complete} of ${clusters} clusters report …`);
    await sleep(EVERY_MS, undefined, { signal });
  }
}

function unlessRetryable(thrown: unknown): undefined {
  if (!(thrown instanceof PlimsollError && thrown.retryable) || thrown.code === "interrupted") throw thrown;
}

/** What a newcomer expects to see of a cluster. */
function isComplete(cluster: ClusterView): boolean {
  const { watermarks, cost } = cluster;
  return recordText(cluster, "k8s_version") !== null && watermarks !== null && watermarks.length > 0 && cost !== null;
}
