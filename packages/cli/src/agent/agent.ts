import { join } from "node:path";
import { type AgentEnd, type AgentHandle, startAgent } from "@plimsoll/agent";
import { PlimsollError } from "@plimsoll/contracts";
import { folderNames } from "../dump/folder-names.ts";
import { EXIT, exitCodeOf } from "../exit-code.ts";
import { printError } from "../print-error.ts";
import type { CommandContext } from "../program.ts";
import { stateHome } from "../rest/local-hub.ts";
import { untilStopped } from "../until-stopped.ts";
import type { AgentOptions } from "./agent-command.ts";

/** Runs one agent until it is stopped, or is over by itself. Gives the exit code. */
export async function agent(options: AgentOptions, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const { env } = terminal;
  const { kubeconfig, context: kubeContext, name } = options;
  const hubUrl = options.hub || env.PLIMSOLL_HUB;
  if (!hubUrl) throw new PlimsollError("argument_missing", { command: "plimsoll agent", argument: "--hub URL" });
  const handle = await startAgent({
    hubUrl,
    stateDir: options.state ?? defaultStateDir(kubeContext ?? name ?? "current", env),
    joinToken: options.token || env.PLIMSOLL_JOIN_TOKEN || null,
    clusterName: name ?? null,
    listen: options.listen || env.PLIMSOLL_LISTEN || null,
    env,
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(kubeContext === undefined ? {} : { context: kubeContext }),
    writeLog: (line) => terminal.err.write(line),
  });
  return report(await untilOver(handle, context), context);
}

/** A folder of its own for each context, so that two agents of one user never share one. */
function defaultStateDir(name: string, env: CommandContext["terminal"]["env"]): string {
  return join(stateHome(env), "plimsoll", "agents", folderNames([name], false).get(name) ?? "current");
}

async function untilOver(handle: AgentHandle, context: CommandContext): Promise<AgentEnd> {
  // Whoever is refused hears it by `ended` too; a rejection that nobody awaits would end the process.
  handle.joined.catch(() => undefined);
  const end = await Promise.race([handle.ended, untilStopped(context)]);
  if (end !== undefined) return end;
  await handle.stop();
  return handle.ended;
}

function report({ code, message }: AgentEnd, { terminal }: CommandContext): number {
  if (code === null) return EXIT.ok;
  const { remedy } = new PlimsollError(code);
  printError(terminal, { code, message, remedy });
  return exitCodeOf(code);
}
