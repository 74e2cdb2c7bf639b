import { Command } from "commander";
import type { CommandContext } from "../program.ts";
import { type ShowOptions, withFormat } from "../rest/answer-format.ts";
import { type HubOptions, withHub } from "../rest/hub-options.ts";

/** The options of `plimsoll add`, parsed. */
export interface AddOptions extends HubOptions, ShowOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly name?: string;
}

const HELP = `
Only what the context needs is sent: its address, its certificates, its credentials; files that it names are written into
it. The hub seals the credentials and reads the cluster each minute. Credential plug-ins are refused: a hub runs none.

Examples:
  plimsoll add --kubeconfig edge.yaml --context edge-7
  plimsoll add --context prod-eu --name prod-eu-1
`;

/** `plimsoll add`: a cluster that the hub reads itself, without an agent. */
export function addCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const command = new Command("add")
    .summary("let the hub read a cluster itself, without an agent")
    .description(
      "Gives the hub the credentials of one context, so that it reads that cluster itself, without an agent.",
    )
    .option("--kubeconfig <FILE>", "kubeconfig to take the context from (KUBECONFIG, or ~/.kube/config)")
    .option("--context <NAME>", "context of the cluster (the current one)")
    .option("--name <NAME>", "name that the cluster gets (the context's)");
  return withHub(withFormat(command, ["text", "json", "yaml"]))
    .addHelpText("after", HELP)
    .action(async (options: AddOptions) => done(await (await import("./add.ts")).add(options, context)));
}
