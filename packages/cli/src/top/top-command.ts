import { PlimsollError } from "@plimsoll/contracts";
import { Command, Option } from "commander";
import type { CommandContext } from "../program.ts";
import { fullName, type ShowOptions, withFormat, withWatch } from "../rest/answer-format.ts";
import { type HubOptions, withHub } from "../rest/hub-options.ts";

/** What a `top` is sorted by, the largest first. */
const TOP_SORTS = ["cpu", "memory", "cost"] as const;
export type TopSort = (typeof TOP_SORTS)[number];

/** The options of `plimsoll top`, parsed. */
export interface TopOptions extends HubOptions, ShowOptions {
  readonly sort: TopSort;
  readonly limit: number;
  readonly selector?: string;
  readonly cluster?: string;
}

type Done = (exitCode: number) => void;

/** `plimsoll top`: what uses the most, or costs the most. */
export function topCommand(context: CommandContext, done: Done): Command {
  return new Command("top")
    .description("What uses or costs the most, the largest first.")
    .summary("what uses or costs the most")
    .addCommand(clusters(context, done))
    .addCommand(nodes(context, done))
    .addCommand(namespaces(context, done));
}

function clusters(context: CommandContext, done: Done): Command {
  const command = subcommand("clusters", "clusters by what they use or cost", TOP_SORTS);
  return command
    .option("-l, --selector <SELECTOR>", "label selector of clusters: env=prod")
    .action(async (options: TopOptions) =>
      done(await (await import("./top-clusters.ts")).topClusters(options, context)),
    );
}

function nodes(context: CommandContext, done: Done): Command {
  const command = subcommand("nodes", "nodes by what is used of them", ["cpu", "memory"]);
  return command
    .option("--cluster <NAME>", "nodes of one cluster")
    .action(async (options: TopOptions) => done(await (await import("./top-nodes.ts")).topNodes(options, context)));
}

function namespaces(context: CommandContext, done: Done): Command {
  const command = subcommand("namespaces", "namespaces by what they use or cost", TOP_SORTS);
  return command.option("--cluster <NAME>", "namespaces of one cluster").action(async (options: TopOptions) => {
    const { topNamespaces } = await import("./top-namespaces.ts");
    done(await topNamespaces(options, context));
  });
}

function subcommand(name: string, summary: string, sorts: readonly [TopSort, ...TopSort[]]): Command {
  const command = new Command(name).summary(summary).description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`);
  command
    .addOption(
      new Option("--sort <FIELD>", `${sorts.join(", ")}: the largest first`)
        .default(sorts[0])
        .argParser(
          (value) => sorts.find((sort) => sort === value) ?? refuse(command, "--sort", value, sorts.join(", ")),
        ),
    )
    .addOption(
      new Option("--limit <N>", "rows to show").default(20).argParser((value) => {
        const count = /^\d{1,5}$/.test(value) ? Number(value) : 0;
        return count >= 1 ? count : refuse(command, "--limit", value, "a whole number from 1 to 99999");
      }),
    );
  return withWatch(withHub(withFormat(command, ["table", "json", "yaml"])));
}

function refuse(command: Command, option: string, value: string, expected: string): never {
  throw new PlimsollError("option_invalid", { option, value, expected, command: fullName(command) });
}
