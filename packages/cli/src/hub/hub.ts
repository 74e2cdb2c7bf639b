import { PlimsollError } from "@plimsoll/contracts";
import type { HubSettings, RestTls, RunningHub } from "@plimsoll/hub";
import { HUB_DEFAULTS, startHub } from "@plimsoll/hub";
import { EXIT } from "../exit-code.ts";
import type { CommandContext } from "../program.ts";
import { announceHub, defaultDataDir } from "../rest/local-hub.ts";
import { untilStopped } from "../until-stopped.ts";
import { builtPage } from "./built-page.ts";
import type { HubCommandOptions } from "./hub-command.ts";

/** Runs a hub until it is stopped. Gives the exit code. */
export async function hub(options: HubCommandOptions, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const stopped = untilStopped(context);
  // Options first: what is wrong with them is said before anything is built.
  const settings = settingsOf(options, terminal.env);
  // People are served by the others.
  const servesPeople = options.role !== "ingest";
  const running = await startHub({ ...settings, pageDir: servesPeople ? await builtPage(context) : null });
  try {
    const address = { url: running.url, caFile: running.caFile };
    const withdraw = await announceHub(settings.dataDir, address, servesPeople ? "hub" : "ingest");
    terminal.out.write(servesPeople ? startText(running, settings) : ingestText(running, settings));
    await stopped;
    await withdraw();
  } finally {
    await running.stop();
  }
  return EXIT.ok;
}

/** Both roles fit on one machine as they are. */
const PORTS = { all: [8080, 8443], control: [8080, 8443], ingest: [8081, 8444] } as const;

function settingsOf(options: HubCommandOptions, env: CommandContext["terminal"]["env"]): HubSettings {
  const { role } = options;
  const [port, grpcPort] = PORTS[role];
  const { listen = { host: "127.0.0.1", port }, grpc = { host: "127.0.0.1", port: grpcPort } } = options;
  return {
    role,
    dataDir: options.data ?? defaultDataDir(env),
    host: listen.host,
    port: listen.port,
    controlHost: grpc.host,
    controlPort: grpc.port,
    tls: tlsOf(options),
    publicUrl: options.publicUrl ?? null,
    publicControlAddress: options.publicGrpc ?? null,
    postgresUrl: env.PLIMSOLL_POSTGRES || null,
    sealingKey: env.PLIMSOLL_SEALING_KEY || null,
    retentionMs: { ...HUB_DEFAULTS.retentionMs, ...options.retention },
    ...(options.image === undefined ? {} : { agentImage: options.image }),
  };
}

function tlsOf({ tls, tlsCert, tlsKey }: HubCommandOptions): RestTls {
  if (!tls) return "off";
  if (tlsCert === undefined && tlsKey === undefined) return "auto";
  if (tlsCert !== undefined && tlsKey !== undefined) return { certificateFile: tlsCert, keyFile: tlsKey };
  const argument = tlsCert === undefined ? "--tls-cert FILE with --tls-key" : "--tls-key FILE with --tls-cert";
  throw new PlimsollError("argument_missing", { command: "plimsoll hub", argument });
}

/** What to open and what to do next. The link with the token is shown once: it opens the page as an admin. */
function startText(running: RunningHub, { dataDir, role }: HubSettings): string {
  const link = running.firstStart ? running.adminLink : null;
  return [
    `Plimsoll hub at ${running.url}`,
    ...(role === "control" ? ["  control  alone: facts need plimsoll hub --role ingest beside it"] : []),
    `  agents   ${running.controlAddress}`,
    `  data     ${dataDir}`,
    link === null ? `  sign in  with the token in ${dataDir}/admin-token` : `  open     ${link}`,
    "",
    "Let a cluster in:  plimsoll join NAME",
    "See the fleet:     plimsoll get clusters",
    "Ctrl-C stops the hub; the data stays.",
    "",
  ].join("\n");
}

/** What is here, for whoever watches it: people go to the control process. */
function ingestText(running: RunningHub, { dataDir }: HubSettings): string {
  return [
    `Plimsoll ingest for agents at ${running.controlAddress}`,
    `  health   ${running.url}/readyz, ${running.url}/metrics`,
    `  data     ${dataDir}`,
    "",
    "Agents come here once the control process tells them: plimsoll hub --role control",
    "Ctrl-C stops it; agents keep what they have until it is back.",
    "",
  ].join("\n");
}
