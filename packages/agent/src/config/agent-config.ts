/** What a person or a manifest decides about one agent. Lengths in milliseconds. */
export interface AgentConfig {
  /** Address of the hub's REST API, for joining: `https://hub.example`. Plain http only on loopback. */
  readonly hubUrl: string;
  /** `plj1.<secret>.<SHA-256 of the hub's CA>`; null = must have joined already. */
  readonly joinToken: string | null;
  /** Folder of its own: identity, key, spool, last policy. Kept over restarts; one agent a folder. */
  readonly stateDir: string;
  /** The name that the cluster is expected to be registered under; null = whatever the token says. */
  readonly clusterName: string | null;
  /** This process: pod name, or host name outside a cluster. */
  readonly instance: string;
  /** How often usage is read. */
  readonly sampleIntervalMs: number;
  /** How often opened and closed intervals are spooled, and running ones are sent again. */
  readonly usageFlushMs: number;
  readonly usageResendMs: number;
  /** Longest time between two dynamic reports; a change is reported at once. */
  readonly reportIntervalMs: number;
  /** Above it batches that were never sent are coarsened, then the oldest samples are dropped, never usage. */
  readonly spoolMaxBytes: number;
  /** `host:port` for `/metrics`, `/livez` and `/readyz` (`:9464` = every address); null = none. */
  readonly listen: string | null;
  /** Samples that wait longer are dropped. */
  readonly spoolMaxAgeSeconds: number;
}

/** What must be said; the rest has a default. */
export type AgentSettings = Pick<AgentConfig, "hubUrl" | "stateDir"> & Partial<AgentConfig>;

export const AGENT_DEFAULTS = {
  joinToken: null,
  clusterName: null,
  listen: null,
  instance: "agent",
  sampleIntervalMs: 60_000,
  usageFlushMs: 60_000,
  usageResendMs: 300_000,
  reportIntervalMs: 60_000,
  spoolMaxBytes: 512 * 1024 * 1024,
  spoolMaxAgeSeconds: 7 * 86_400,
} as const satisfies Partial<AgentConfig>;

/** Settings with the defaults filled in. */
export function completeConfig(settings: AgentSettings): AgentConfig {
  return { ...AGENT_DEFAULTS, ...settings };
}
