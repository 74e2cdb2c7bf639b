import { PlimsollError } from "@plimsoll/contracts";
import type { HubSettings, RestTls, RunningHub } from "@plimsoll/hub";
import { startHub } from "@plimsoll/hub";
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
  const running = await startHub({ ...settings, pageDir: await builtPage(context) });
  try {
    const withdraw = await announceHub(settings.dataDir, { url: running.url, caFile: running.caFile });
    terminal.out.write(startText(running, settings));
    await stopped;
    await withdraw();
  } finally {
    await running.stop();
  }
  return EXIT.ok;
}

function settingsOf(options: HubCommandOptions, env: CommandContext["terminal"]["env"]): HubSettings {
  return {
    dataDir: options.data ?? defaultDataDir(env),
    host: options.listen.host,
    port: options.listen.port,
    controlHost: options.grpc.host,
    controlPort: options.grpc.port,
    tls: tlsOf(options),
    publicUrl: options.publicUrl ?? null,
    publicControlAddress: options.publicGrpc ?? null,
    postgresUrl: env.PLIMSOLL_POSTGRES || null,
    sealingKey: env.PLIMSOLL_SEALING_KEY || null,
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
function startText(running: RunningHub, { dataDir }: HubSettings): string {
  const link = running.firstStart ? running.adminLink : null;
  return [
    `Plimsoll hub at ${running.url}`,
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
