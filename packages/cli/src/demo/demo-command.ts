import { PlimsollError } from "@plimsoll/contracts";
import { Command, Option } from "commander";
import type { CommandContext } from "../program.ts";

/** The options of `plimsoll demo`, parsed. */
export interface DemoOptions {
  readonly clusters: number;
  readonly port: number;
  readonly seed: string;
}

const NAME = "plimsoll demo";

const HELP = `
One process runs a hub, a simulated fleet, and one agent for each of its clusters. Nothing is installed or kept: Ctrl-C stops
it all and removes its folder. No figure is of a real cluster.

Examples:
  npm run demo
  npm run demo -- --clusters 50 --port 9000
`;

/** `plimsoll demo`: a hub with a simulated fleet. */
export function demoCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  return new Command("demo")
    .summary("a hub with a simulated fleet, to look around")
    .description("A hub with a simulated fleet that reports to it, to look around.")
    .addOption(
      new Option("--clusters <N>", "simulated clusters").default(20).argParser(countOption("--clusters", 1, 200)),
    )
    .addOption(
      new Option("--port <PORT>", "port of the page").default(8090).argParser(countOption("--port", 0, 65_535)),
    )
    .option("--seed <SEED>", "another seed is another fleet", "1")
    .addHelpText("after", HELP)
    .action(async (options: DemoOptions) => done(await (await import("./demo.ts")).demo(options, context)));
}

function countOption(option: string, least: number, most: number): (value: string) => number {
  return (value) => {
    const count = /^\d{1,5}$/.test(value) ? Number(value) : -1;
    if (count >= least && count <= most) return count;
    const expected = `a whole number from ${least} to ${most}`;
    throw new PlimsollError("option_invalid", { option, value, expected, command: NAME });
  };
}
