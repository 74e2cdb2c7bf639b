import { hostname } from "node:os";
import { openContext, readKubeconfig, systemClock } from "@plimsoll/collect";
import type { AgentHandle } from "./agent.ts";
import { type AgentSettings, completeConfig } from "./config/agent-config.ts";
import { parseHubUrl } from "./join/hub-address.ts";
import { parseJoinToken } from "./join/join-token.ts";
import { jsonLog } from "./log/agent-log.ts";
import { listenForProbes } from "./metrics/agent-listener.ts";
import { runAgent } from "./run-agent.ts";

/** How `plimsoll agent` starts. */
export interface StartAgentOptions extends AgentSettings {
  /** Outside a cluster: which kubeconfig and context; default as `kubectl`, else the pod's service account. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Environment: where the kubeconfig is looked for, and the instance's name (POD_NAME). Default: this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where log lines go; default standard error. */
  readonly writeLog?: (line: string) => void;
}

/**
 * Opens the cluster and runs one agent on it; ends the connection with the agent. Throws coded errors for a kubeconfig, an
 * address or a token that cannot work; joining itself is the handle's `joined`.
 */
export async function startAgent(options: StartAgentOptions): Promise<AgentHandle> {
  const {
    kubeconfig: path,
    context,
    env = process.env,
    writeLog = (line) => process.stderr.write(line),
    ...settings
  } = options;
  parseHubUrl(settings.hubUrl);
  if (settings.joinToken) parseJoinToken(settings.joinToken);
  const kubeconfig = await readKubeconfig({ path, env });
  const name = context ?? kubeconfig.currentContext ?? kubeconfig.contexts[0]?.name ?? "";
  const connection = await openContext(kubeconfig, name, { env });
  const config = completeConfig({ instance: env.POD_NAME || hostname(), ...settings });
  const log = jsonLog(writeLog, () => systemClock.now());
  const handle = runAgent(config, { connection, clock: systemClock, random: Math.random, log });
  const closing = handle.ended.then(() => connection.close());
  try {
    const listener = config.listen === null ? null : await listenForProbes(handle, config.listen);
    closing.then(() => listener?.close());
  } catch (error) {
    await handle.stop();
    throw error;
  }
  return handle;
}
