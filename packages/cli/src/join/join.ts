import { JoinTokenAnswer } from "@plimsoll/contracts/rest";
import { formatInstant } from "../format/age.ts";
import { plainText } from "../format/plain-text.ts";
import type { CommandContext } from "../program.ts";
import { openHub } from "../rest/hub-client.ts";
import { hubTarget } from "../rest/hub-target.ts";
import { showAnswer } from "../rest/show-answer.ts";
import type { JoinOptions } from "./join-command.ts";

/** Makes a join token for the cluster `name` and prints how to use it. Gives the exit code. */
export async function join(name: string, options: JoinOptions, context: CommandContext): Promise<number> {
  const { ttl: ttlSeconds, label: labels } = options;
  const hub = openHub(await hubTarget(options, context.terminal.env), context.signal);
  return showAnswer<JoinTokenAnswer>(
    {
      ask: () => hub.post("/api/v1/join-tokens", { clusterName: name, ttlSeconds, labels }, JoinTokenAnswer),
      table: (answer) => joinText(name, answer),
      partial: () => false,
    },
    options,
    context,
  );
}

/** All of it is YAML that `kubectl apply -f -` takes: what is for people stands in comments. */
function joinText(name: string, { command, manifest, expiresAt }: JoinTokenAnswer): string {
  return [
    `# Lets the agent of cluster ${name} in: once, until ${formatInstant(expiresAt)}.`,
    "#",
    "# Outside the cluster, with a kubeconfig:",
    `#   ${plainText(command)}`,
    "#",
    "# In the cluster: pipe all of this into kubectl apply -f -",
    manifest.startsWith("---") ? manifest.trimEnd() : `---\n${manifest.trimEnd()}`,
    "",
  ].join("\n");
}
