import { Command } from "commander";
import type { CommandContext } from "../program.ts";
import { type ShowOptions, withFormat } from "../rest/answer-format.ts";
import { type HubOptions, withHub } from "../rest/hub-options.ts";

/** The options of `plimsoll describe`, parsed. */
export interface DescribeOptions extends HubOptions, ShowOptions {}

/** `plimsoll describe`: everything that the hub knows of one thing. */
export function describeCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const cluster = new Command("cluster")
    .description("Everything that the hub knows of one cluster: every field with its layer, source and age.")
    .summary("one cluster, every field with its source and age")
    .argument("<NAME>", "name or id of the cluster");
  withHub(withFormat(cluster, ["text", "json", "yaml"])).action(async (name: string, options: DescribeOptions) => {
    const { describeCluster } = await import("./describe-cluster.ts");
    done(await describeCluster(name, options, context));
  });
  return new Command("describe")
    .description("Everything that the hub knows of one thing.")
    .summary("everything known of one cluster")
    .addCommand(cluster);
}
