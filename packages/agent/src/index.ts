export type { AgentDeps, AgentEnd, AgentHandle, AgentStatus, SpoolStatus, StreamStatus } from "./agent.ts";
export { AGENT_DEFAULTS, type AgentConfig, type AgentSettings, completeConfig } from "./config/agent-config.ts";
export { type AgentLog, jsonLog, type LogFields, silentLog } from "./log/agent-log.ts";
export { type AgentListener, listenForProbes } from "./metrics/agent-listener.ts";
export { runAgent } from "./run-agent.ts";
export { type StartAgentOptions, startAgent } from "./start-agent.ts";
