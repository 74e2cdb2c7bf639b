import type { AgentDeps, AgentHandle } from "./agent.ts";
import type { AgentConfig } from "./config/agent-config.ts";

/** Starts one agent and returns at once; several may run in one process, each with a state folder of its own. */
export function runAgent(_config: AgentConfig, _deps: AgentDeps): AgentHandle {
  throw new Error("not built yet");
}
