import { readKubeconfig } from "@plimsoll/collect";
import { PlimsollError } from "@plimsoll/contracts";
import { ClusterView } from "@plimsoll/contracts/rest";
import { plainText } from "../format/plain-text.ts";
import type { CommandContext } from "../program.ts";
import { openHub } from "../rest/hub-client.ts";
import { hubTarget } from "../rest/hub-target.ts";
import { showAnswer } from "../rest/show-answer.ts";
import type { AddOptions } from "./add-command.ts";
import { onlyContext } from "./only-context.ts";

/** Registers one context with the hub, which reads it from then on. Gives the exit code. */
export async function add(options: AddOptions, context: CommandContext): Promise<number> {
  const { env } = context.terminal;
  const { kubeconfig: path, name } = options;
  const hub = openHub(await hubTarget(options, env), context.signal);
  const kubeconfig = await readKubeconfig({ env, ...(path === undefined ? {} : { path }) });
  const chosen =
    options.context ?? kubeconfig.currentContext ?? soleContext(kubeconfig.contexts.map((one) => one.name));
  const body = { name, context: chosen, kubeconfig: await onlyContext(kubeconfig, chosen) };
  return showAnswer<ClusterView>(
    {
      ask: () => hub.post("/api/v1/clusters", body, ClusterView),
      table: (cluster) =>
        `Added ${plainText(cluster.name)} (${cluster.id}): the hub reads it itself.\n` +
        `See: plimsoll describe cluster ${plainText(cluster.name)}\n`,
      partial: () => false,
    },
    options,
    context,
  );
}

function soleContext(names: readonly string[]): string {
  const [first] = names;
  if (names.length === 1 && first !== undefined) return first;
  throw new PlimsollError("context_ambiguous", { known: names.join(", ") });
}
