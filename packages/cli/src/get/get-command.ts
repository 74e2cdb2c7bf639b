import { Command } from "commander";
import type { CommandContext } from "../program.ts";
import { type ShowOptions, withFormat, withWatch } from "../rest/answer-format.ts";
import { type HubOptions, withHub } from "../rest/hub-options.ts";

/** The options of `plimsoll get clusters`, parsed. */
export interface GetClustersOptions extends HubOptions, ShowOptions {
  readonly selector?: string;
  readonly search?: string;
  readonly sort?: string;
}

const HELP = `
Examples:
  plimsoll get clusters
  plimsoll get clusters -l env=prod --sort -cost
  plimsoll get clusters -o csv > fleet.csv
  plimsoll get clusters --watch

Sorts: name, type, region, provider, environment, version, nodes, cpu, memory, cost, idle, state, health, mode.
Exit codes: 0 ok, 1 failed, 2 usage, 4 partial (figures of a cluster are missing).
`;

/** `plimsoll get`: lists what the hub knows. */
export function getCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const clusters = new Command("clusters")
    .description("The clusters of the fleet as the hub knows them: what each is, how full, what it costs.")
    .summary("the clusters of the fleet")
    .option("-l, --selector <SELECTOR>", "label selector: env=prod,team in (a,b),!legacy")
    .option("--search <TEXT>", "text in name, region or provider")
    .option("--sort <FIELD>", "field to sort by, - in front for the largest first (name)");
  withWatch(withHub(withFormat(clusters, ["table", "wide", "json", "yaml", "csv"])))
    .addHelpText("after", HELP)
    .action(async (options: GetClustersOptions) => {
      const { getClusters } = await import("./get-clusters.ts");
      done(await getClusters(options, context));
    });
  return new Command("get").description("List what the hub knows.").summary("list the fleet").addCommand(clusters);
}
