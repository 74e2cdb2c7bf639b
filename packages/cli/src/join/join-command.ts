import { PlimsollError } from "@plimsoll/contracts";
import { Command, Option } from "commander";
import type { CommandContext } from "../program.ts";
import { type ShowOptions, withFormat } from "../rest/answer-format.ts";
import { type HubOptions, withHub } from "../rest/hub-options.ts";

/** The options of `plimsoll join`, parsed. `ttl` in seconds. */
export interface JoinOptions extends HubOptions, ShowOptions {
  readonly ttl: number;
  readonly label: Readonly<Record<string, string>>;
}

const NAME = "plimsoll join";
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

const HELP = `
Examples:
  plimsoll join prod-eu                                   a command and a manifest; the token works once
  plimsoll join prod-eu --label env=prod cost-center=CC-7 | kubectl apply -f -
  plimsoll join edge-7 --ttl 24h -o json
`;

/** `plimsoll join`: lets one agent in. */
export function joinCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const command = new Command("join")
    .summary("let a cluster in: a command and a manifest for its agent")
    .description(
      "Makes a token for the agent of one cluster, and prints how to start that agent: a command, and a manifest.",
    )
    .argument("<NAME>", "name that the cluster gets: lower-case letters, digits, - and .")
    .addOption(
      new Option("--ttl <TIME>", "how long the token works, at most 24h").default(3600, "1h").argParser(parseTtl),
    )
    .addOption(new Option("--label <KEY=VALUE...>", "labels of the cluster").default({}, "none").argParser(addLabel));
  // `--token` is what people write; other commands take an agent's token by that name, so it is not in the help.
  command.addOption(new Option("--token <TOKEN>").hideHelp());
  return withHub(withFormat(command, ["text", "json", "yaml"]))
    .addHelpText("after", HELP)
    .action(async (name: string, { token, ...options }: JoinOptions & { token?: string }) => {
      const { join } = await import("./join.ts");
      done(await join(name, { ...(token === undefined ? {} : { adminToken: token }), ...options }, context));
    });
}

function parseTtl(text: string): number {
  const [, count, unit = ""] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  const seconds = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (seconds >= 60 && seconds <= 86_400) return seconds;
  const fields = { option: "--ttl", value: text, expected: "a time from 60s to 24h, such as 30m", command: NAME };
  throw new PlimsollError("option_invalid", fields);
}

function addLabel(text: string, labels: Readonly<Record<string, string>>): Record<string, string> {
  const at = text.indexOf("=");
  if (at > 0) return { ...labels, [text.slice(0, at)]: text.slice(at + 1) };
  throw new PlimsollError("option_invalid", { option: "--label", value: text, expected: "KEY=VALUE", command: NAME });
}
