import { PlimsollError, POLICY_RANGES } from "@plimsoll/contracts";
import type { Policy, Routes } from "@plimsoll/contracts/wire";
import { z } from "zod";
import { AGENT_DEFAULTS, type AgentConfig } from "../config/agent-config.ts";
import { readIfThere, writePrivateFile } from "../state/private-file.ts";

/** What the hub decides of how an agent works. Lengths in milliseconds. */
export interface AgentPolicy {
  /** 0 = none came yet. */
  readonly revision: number;
  readonly sampleIntervalMs: number;
  readonly usageFlushMs: number;
  readonly usageResendMs: number;
  readonly reportIntervalMs: number;
  /** Bytes. */
  readonly spoolMaxBytes: number;
  /** Samples that wait longer are dropped. */
  readonly spoolMaxAgeSeconds: number;
  /** Where batches go, first to last: the table that the hub gave. Empty = it gave none yet, so as joining said. */
  readonly routes: readonly Route[];
}

/** A destination of batches by gRPC. Copies, and channels that this release does not know, are left out. */
interface Route {
  readonly name: string;
  /** `host:port`; empty = where the control stream is. */
  readonly address: string;
}

const NAMES = [
  "sampleIntervalMs",
  "usageFlushMs",
  "usageResendMs",
  "reportIntervalMs",
  "spoolMaxBytes",
  "spoolMaxAgeSeconds",
] as const;

const Kept = z.object({
  revision: z.number(),
  sampleIntervalMs: z.number(),
  usageFlushMs: z.number(),
  usageResendMs: z.number(),
  reportIntervalMs: z.number(),
  spoolMaxBytes: z.number(),
  spoolMaxAgeSeconds: z.number().default(AGENT_DEFAULTS.spoolMaxAgeSeconds),
  routes: z.array(z.object({ name: z.string(), address: z.string() })).default([]),
});

/** The policy that runs, kept over restarts. */
export class PolicyHolder {
  readonly #path: string;
  readonly #config: AgentConfig;
  #policy: AgentPolicy;

  constructor(path: string, config: AgentConfig) {
    this.#path = path;
    this.#config = config;
    this.#policy = defaultPolicy(config);
  }

  get current(): AgentPolicy {
    return this.#policy;
  }

  /** Takes up the last policy of an earlier run, where there is one. */
  async load(): Promise<void> {
    const text = await readIfThere(this.#path);
    if (!text) return;
    try {
      const kept = Kept.safeParse(JSON.parse(text.toString("utf8")));
      if (kept.success) this.#policy = kept.data;
    } catch {
      // Half a file: the hub sends the policy again.
    }
  }

  /** Applies a policy of the hub. Throws `policy_invalid`: the one before stays. */
  apply(policy: Policy): AgentPolicy {
    this.#policy = merge(this.#config, policy, this.#policy.routes);
    return this.#policy;
  }

  /** Keeps what runs for the next start. Rejects when the disk refuses it: it runs all the same, and the hub sends it again. */
  keep(): Promise<void> {
    return writePrivateFile(this.#path, JSON.stringify(this.#policy));
  }
}

function defaultPolicy(config: AgentConfig): AgentPolicy {
  const { sampleIntervalMs, usageFlushMs, usageResendMs, reportIntervalMs, spoolMaxBytes, spoolMaxAgeSeconds } = config;
  const intervals = { sampleIntervalMs, usageFlushMs, usageResendMs, reportIntervalMs };
  return { revision: 0, ...intervals, spoolMaxBytes, spoolMaxAgeSeconds, routes: [] };
}

/** 0 = the agent's own value; no table of routes = the one before. */
function merge(config: AgentConfig, policy: Policy, before: readonly Route[]): AgentPolicy {
  const own = defaultPolicy(config);
  const merged: Record<string, number> = {};
  for (const name of NAMES) {
    const value = Number(policy[name]);
    const [least, most] = POLICY_RANGES[name];
    if (value !== 0 && (value < least || value > most)) {
      throw new PlimsollError("policy_invalid", { field: name, value, expected: `${least} to ${most}` });
    }
    merged[name] = value || own[name];
  }
  const routes = policy.routes ? routesOf(policy.routes) : before;
  return { ...own, ...merged, routes, revision: Number(policy.revision) };
}

function routesOf({ destinations }: Routes): readonly Route[] {
  return destinations.flatMap(({ name, copy, channel }) =>
    channel.case === "grpc" && !copy ? [{ name, address: channel.value.address }] : [],
  );
}

/** Where batches go now, `host:port`. */
export function ingestAddress(
  { routes: [first] }: Pick<AgentPolicy, "routes">,
  joined: { readonly controlAddress: string; readonly ingestAddress: string },
): string {
  return first ? first.address || joined.controlAddress : joined.ingestAddress;
}
