import { PlimsollError } from "@plimsoll/contracts";
import type { HubRole } from "@plimsoll/hub";
import { Command, Option } from "commander";
import type { CommandContext } from "../program.ts";
import { type RetentionOption, retentionOption } from "./retention-option.ts";

/** `HOST:PORT` of an option. Port 0 = any free one. */
interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** The options of `plimsoll hub`, parsed. */
export interface HubCommandOptions {
  readonly data?: string;
  readonly role: HubRole;
  /** Undefined = the address of the role. */
  readonly listen?: ListenAddress;
  readonly grpc?: ListenAddress;
  readonly publicUrl?: string;
  readonly publicGrpc?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tls: boolean;
  readonly image?: string;
  readonly retention?: RetentionOption;
}

const NAME = "plimsoll hub";

const ROLES = ["all", "control", "ingest"] as const satisfies readonly HubRole[];

const HELP = `
Everything is kept in the data folder; back it up with plimsoll backup. Commands on this machine find the hub by it.

One process does everything, unless you say otherwise. To run control and ingest apart, start two with one data folder:
  control   the registry, the policy, the page and the API. It never sees a sample: kill it, and agents go on delivering.
  ingest    takes what agents deliver, prices it and keeps it, and reads the clusters that have no agent.
Control tells agents where ingest is. Each listens on addresses of its own; ingest by default on 8081 and 8444.

Examples:
  plimsoll hub                                              on this machine alone: http://127.0.0.1:8080
  plimsoll hub --listen 0.0.0.0:443 --public-url https://hub.example --public-grpc hub.example:8443
  plimsoll hub --no-tls --listen 0.0.0.0:8080 --public-url https://hub.example      behind a proxy that speaks TLS
  plimsoll hub --role control                               and, in another terminal:
  plimsoll hub --role ingest

Environment: PLIMSOLL_DATA, PLIMSOLL_POSTGRES (postgres://… for the control store), PLIMSOLL_SEALING_KEY (32 bytes, base64).
`;

/** `plimsoll hub`: the hub of a fleet, in the foreground. */
export function hubCommand(context: CommandContext, done: (exitCode: number) => void): Command {
  return new Command("hub")
    .summary("run the hub of a fleet")
    .description(
      "Runs the hub of a fleet in the foreground: REST API, page, and the streams of agents, on embedded stores.",
    )
    .option("--data <DIR>", "folder of everything that the hub keeps (PLIMSOLL_DATA, or the user's state folder)")
    .addOption(
      new Option("--role <ROLE>", "what this process does: all, control or ingest")
        .default("all")
        .argParser(roleOption),
    )
    .addOption(
      new Option(
        "--listen <HOST:PORT>",
        "address of API and page (127.0.0.1:8080; of ingest 127.0.0.1:8081)",
      ).argParser(addressOption("--listen")),
    )
    .addOption(
      new Option(
        "--grpc <HOST:PORT>",
        "address of the agents' streams (127.0.0.1:8443; of ingest 127.0.0.1:8444)",
      ).argParser(addressOption("--grpc")),
    )
    .option("--public-url <URL>", "address by which people and agents reach the API, where it is another")
    .option("--public-grpc <HOST:PORT>", "address by which agents reach their streams, where it is another")
    .option("--tls-cert <FILE>", "certificate of the API, PEM (the hub's own, but none on a loopback address)")
    .option("--tls-key <FILE>", "key of that certificate, PEM")
    .option("--no-tls", "plain HTTP, for a proxy in front that speaks TLS")
    .option("--image <IMAGE>", "image that the manifest of an agent names")
    .addOption(
      new Option(
        "--retention <KIND=DAYS,…>",
        "days that facts are kept, by kind (usage=35d,node=35d,sample=15d,gap=396d,cost=396d)",
      ).argParser(retentionOption),
    )
    .addHelpText("after", HELP)
    .action(async (options: HubCommandOptions) => done(await (await import("./hub.ts")).hub(options, context)));
}

function addressOption(option: string): (value: string) => ListenAddress {
  return (value) => {
    const [, host = "", port = ""] = /^(.+):(\d{1,5})$/.exec(value) ?? [];
    if (host !== "" && Number(port) <= 65_535) return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
    const expected = "HOST:PORT, such as 127.0.0.1:8080";
    throw new PlimsollError("option_invalid", { option, value, expected, command: NAME });
  };
}

function roleOption(value: string): HubRole {
  const role = ROLES.find((one) => one === value);
  if (role !== undefined) return role;
  throw new PlimsollError("option_invalid", { option: "--role", value, expected: ROLES.join(", "), command: NAME });
}
