import { Command } from "commander";
import type { CommandContext } from "../program.ts";

/** The options of `plimsoll agent`, parsed. */
export interface AgentOptions {
  readonly hub?: string;
  readonly token?: string;
  readonly state?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly name?: string;
  readonly listen?: string;
}

const HELP = `
Examples:
  plimsoll agent --hub https://hub.example --token plj1.… --context prod-eu     the command that plimsoll join prints
  plimsoll agent --hub https://hub.example --context prod-eu                    again: it has joined already

It reads one cluster and reports it to the hub until Ctrl-C; it dials out only and writes nothing into the cluster. One line
of JSON per event goes to standard error. What it has not delivered waits in the state folder.
`;

/** `plimsoll agent`: reports one cluster to a hub, in the foreground. */
export function agentCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  return new Command("agent")
    .summary("report one cluster to a hub")
    .description("Reads one cluster and reports it to a hub, in the foreground.")
    .option("--hub <URL>", "address of the hub (PLIMSOLL_HUB)")
    .option("--token <TOKEN>", "join token, for the first start (PLIMSOLL_JOIN_TOKEN)")
    .option("--state <DIR>", "folder of its own for identity and spool (one per context in the user's state folder)")
    .option("--kubeconfig <FILE>", "kubeconfig to read (KUBECONFIG, ~/.kube/config, or the pod's service account)")
    .option("--context <NAME>", "context to read (the current one)")
    .option("--name <NAME>", "name that the cluster must be registered under")
    .option(
      "--listen <ADDR>",
      "serve /metrics, /livez and /readyz on host:port, :PORT for every address (PLIMSOLL_LISTEN; none)",
    )
    .addHelpText("after", HELP)
    .action(async (options: AgentOptions) => done(await (await import("./agent.ts")).agent(options, context)));
}
