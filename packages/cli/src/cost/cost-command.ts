import { Command } from "commander";
import type { CommandContext } from "../program.ts";
import { type ShowOptions, withFormat, withWatch } from "../rest/answer-format.ts";
import { type HubOptions, withHub } from "../rest/hub-options.ts";

/** The options of `plimsoll cost`, parsed. */
export interface CostOptions extends HubOptions, ShowOptions {
  readonly by: string;
  readonly window: string;
  readonly cluster?: string;
  readonly namespace?: string;
}

const HELP = `
Examples:
  plimsoll cost --by cost-center --window 24h
  plimsoll cost --by cost-center,namespace --window yesterday
  plimsoll cost --by label:team --window 2026-03-01T00:00:00Z,2026-04-01T00:00:00Z -o csv
  plimsoll cost --by workload --cluster prod-eu --namespace shop

Windows end before their end, in UTC; 24h and 7d end now. __idle__ is allocatable that nobody is charged for, __system__ is
capacity that is not allocatable, __unallocated__ is a cost whose key is missing: all groups add up to the sum.
Exit codes: 0 ok, 1 failed, 2 usage, 4 partial (hours of a cluster are missing).
`;

/** `plimsoll cost`: what the fleet cost, and whom. */
export function costCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const command = new Command("cost")
    .description("What the fleet cost in a window of time, and whom.")
    .summary("what the fleet costs, and whom")
    .option(
      "--by <KEYS>",
      "cluster, namespace, workload, node, cost-center, env, owner-team, label:KEY …; several joined by commas",
      "cluster",
    )
    .option("--window <WINDOW>", "24h, 7d, today, yesterday …, or two RFC 3339 instants joined by a comma", "24h")
    .option("--cluster <NAME>", "cost of one cluster")
    .option("--namespace <NAME>", "cost of one namespace");
  return withWatch(withHub(withFormat(command, ["table", "json", "yaml", "csv"])))
    .addHelpText("after", HELP)
    .action(async (options: CostOptions) => done(await (await import("./cost.ts")).cost(options, context)));
}
