import type { AgentHandle } from "./agent.ts";
import type { AgentSettings } from "./config/agent-config.ts";

/** How `plimsoll agent` starts. */
export interface StartAgentOptions extends AgentSettings {
  /** Outside a cluster: which kubeconfig and context; default as `kubectl`, else the pod's service account. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Where log lines go; default standard error. */
  readonly writeLog?: (line: string) => void;
}

/** Opens the cluster and runs one agent on it. Throws coded errors for a kubeconfig or settings that cannot work. */
export async function startAgent(_options: StartAgentOptions): Promise<AgentHandle> {
  throw new Error("not built yet");
}
