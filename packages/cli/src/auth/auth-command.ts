import { PlimsollError } from "@plimsoll/contracts";
import { Command, Option } from "commander";
import type { CommandContext } from "../program.ts";
import { type ShowOptions, withFormat } from "../rest/answer-format.ts";
import { type HubOptions, withHub } from "../rest/hub-options.ts";

/** The options of the commands below, parsed. */
export interface AuthOptions extends HubOptions, ShowOptions {}

/** The options of `plimsoll auth can-i`, parsed. */
export interface CanIOptions extends AuthOptions {
  readonly cluster?: string;
}

/** The options of `plimsoll auth create-token`, parsed. `ttl` in seconds. */
export interface CreateTokenOptions extends AuthOptions {
  readonly role: readonly string[];
  readonly selector?: string;
  readonly ttl: number;
}

const HELP = `
Examples:
  plimsoll auth whoami
  plimsoll auth can-i update policy
  plimsoll auth can-i read cost --cluster prod-eu
  plimsoll auth create-token grafana --role viewer --selector env=prod --ttl 90d
  plimsoll auth access-review -o csv > who-may-what.csv

Roles: viewer, operator, finops, auditor, admin; what each may do: docs/reference/roles.md.
Exit codes: 0 ok (can-i: yes), 1 failed, 2 usage, 3 can-i: no.
`;

/** `plimsoll auth`: who may see and do what. */
export function authCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  return new Command("auth")
    .summary("who may see and do what, and tokens for programs")
    .description("Who may see and do what on this hub, and the tokens by which programs ask it.")
    .addHelpText("after", HELP)
    .addCommand(whoamiCommand(context, done))
    .addCommand(canICommand(context, done))
    .addCommand(reviewCommand(context, done))
    .addCommand(tokensCommand(context, done))
    .addCommand(createTokenCommand(context, done))
    .addCommand(withdrawTokenCommand(context, done));
}

function whoamiCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const command = new Command("whoami").description("Who you are to the hub, with which roles, and what they allow.");
  return withHub(withFormat(command, ["text", "json", "yaml"])).action(async (options: AuthOptions) => {
    const { whoami } = await import("./whoami.ts");
    done(await whoami(options, context));
  });
}

function canICommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const command = new Command("can-i")
    .description("May you do this? Exits with 0 for yes and 3 for no.")
    .argument("<VERB>", "list, read, create, update, delete")
    .argument("<THING>", "cluster, cost, policy, quarantine, audit, …")
    .option("--cluster <NAME>", "to this cluster");
  return withHub(withFormat(command, ["text", "json", "yaml"])).action(
    async (verb: string, thing: string, options: CanIOptions) => {
      const { canI } = await import("./can-i.ts");
      done(await canI(verb, thing, options, context));
    },
  );
}

function reviewCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const command = new Command("access-review").description("Everybody who may do something on this hub, as a report.");
  return withHub(withFormat(command, ["table", "json", "yaml", "csv"])).action(async (options: AuthOptions) => {
    const { accessReview } = await import("./access-review.ts");
    done(await accessReview(options, context));
  });
}

function tokensCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const command = new Command("tokens").description(
    "Tokens of programs: their roles, end and last use; never their text.",
  );
  return withHub(withFormat(command, ["table", "json", "yaml", "csv"])).action(async (options: AuthOptions) => {
    const { tokens } = await import("./tokens.ts");
    done(await tokens(options, context));
  });
}

function createTokenCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const command = new Command("create-token")
    .description("Makes a token for a program and prints it: it is shown this once.")
    .argument("<NAME>", "whose it is: lower-case letters, digits, - and .")
    .requiredOption("--role <ROLE...>", "what it may: viewer, operator, finops, auditor, admin")
    .option("-l, --selector <SELECTOR>", "on which clusters, by labels and region (the whole fleet)")
    .addOption(
      new Option("--ttl <TIME>", "how long it works, at most 366d").default(90 * 86_400, "90d").argParser(parseTtl),
    );
  return withHub(withFormat(command, ["text", "json", "yaml"])).action(
    async (name: string, options: CreateTokenOptions) => {
      const { createToken } = await import("./create-token.ts");
      done(await createToken(name, options, context));
    },
  );
}

function withdrawTokenCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  const command = new Command("withdraw-token")
    .description("Withdraws a token: from its next request on it is nobody's.")
    .argument("<NAME>", "of the token");
  return withHub(withFormat(command, ["text", "json", "yaml"])).action(async (name: string, options: AuthOptions) => {
    const { withdrawToken } = await import("./withdraw-token.ts");
    done(await withdrawToken(name, options, context));
  });
}

const UNITS: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 };

function parseTtl(text: string): number {
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (seconds >= 60 && seconds <= 366 * 86_400) return seconds;
  const expected = "a time from 1m to 366d, such as 90d";
  throw new PlimsollError("option_invalid", { option: "--ttl", value: text, expected, command: NAME });
}

const NAME = "plimsoll auth create-token";
