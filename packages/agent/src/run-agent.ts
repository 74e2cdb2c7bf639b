import { PlimsollError, reportError } from "@plimsoll/contracts";
import type { AgentDeps, AgentEnd, AgentHandle, AgentStatus, SpoolStatus, StreamStatus } from "./agent.ts";
import { AGENT_VERSION } from "./agent-version.ts";
import { createHubClock } from "./channel/hub-clock.ts";
import type { AgentConfig } from "./config/agent-config.ts";
import { createCounters } from "./counters.ts";
import { type Identity, obtainIdentity } from "./join/identity.ts";
import { agentMetrics } from "./metrics/agent-metrics.ts";
import { timedConnection } from "./metrics/timed-connection.ts";
import { createTimings } from "./metrics/timings.ts";
import { PolicyHolder } from "./policy/agent-policy.ts";
import { readEntryHead } from "./rows/entry-head.ts";
import { RunningAgent } from "./running-agent.ts";
import { openSpoolFolder } from "./spool/open-spool-folder.ts";
import { createQuarantineFolder, type QuarantineFolder } from "./spool/quarantine-folder.ts";
import type { Spool } from "./spool/spool.ts";
import { openStateFolder, SPOOL_FOLDER, type StateFolder } from "./state/state-folder.ts";
import { readFingerprint } from "./watch/read-fingerprint.ts";

/**
 * Starts one agent and returns at once; several may run in one process, each with a state folder of its own. Faults of the
 * start (settings, state folder, joining) reject `joined`; after it nothing but `stop`, a fence or a deregistration ends it.
 */
export function runAgent(config: AgentConfig, deps: AgentDeps): AgentHandle {
  const agent = new Agent(config, deps);
  const ended = agent.run();
  return {
    joined: agent.joined,
    ended,
    status: () => agent.status(),
    metrics: () => agent.metrics(),
    stop: () => agent.stop(ended),
  };
}

/** Without a tick for this long, beyond twice its interval, an agent is not alive. */
const LATE_TICK_MS = 60_000;

class Agent {
  readonly #config: AgentConfig;
  readonly #deps: AgentDeps;
  readonly #counters = createCounters();
  readonly #timings = createTimings();
  readonly #hubClock;
  readonly #startedMs: number;
  readonly #stopping = new AbortController();
  readonly joined: Promise<void>;
  #tellJoined: { resolve: () => void; reject: (error: unknown) => void };
  #identity: Identity | undefined;
  #policy: PolicyHolder | undefined;
  #running: RunningAgent | undefined;
  #end: AgentEnd | undefined;

  constructor(config: AgentConfig, deps: AgentDeps) {
    this.#config = config;
    this.#deps = { ...deps, connection: timedConnection(deps.connection, this.#timings.apiRequest) };
    this.#hubClock = createHubClock(deps.clock);
    this.#startedMs = deps.clock.now();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.joined = promise;
    this.#tellJoined = { resolve, reject };
    // Whoever only waits for `ended` need not listen to both.
    promise.catch(() => {});
  }

  async run(): Promise<AgentEnd> {
    let folder: StateFolder | undefined;
    try {
      folder = await openStateFolder(this.#config.stateDir);
      this.#running = await this.#join(folder);
      this.#tellJoined.resolve();
      this.#end = await this.#running.run(this.#stopping.signal);
    } catch (error) {
      this.#end = this.#failure(error);
      this.#tellJoined.reject(error);
    } finally {
      await folder?.release();
    }
    return this.#end;
  }

  async stop(ended: Promise<AgentEnd>): Promise<void> {
    this.#stopping.abort(new PlimsollError("agent_stopped"));
    await ended;
  }

  status(): AgentStatus {
    const { clock } = this.#deps;
    const running = this.#running;
    const none: StreamStatus = { state: this.#end ? "stopped" : "connecting", sinceMs: this.#startedMs, error: null };
    return {
      state: this.#end?.reason ?? (running ? "running" : "joining"),
      cluster: this.#identity
        ? { id: this.#identity.clusterId, name: this.#identity.clusterName, incarnation: this.#identity.incarnation }
        : null,
      control: running?.control.status() ?? none,
      ingest: running?.ingest.status() ?? none,
      ready: running?.ready ?? false,
      live: this.#end === undefined && clock.now() - (running?.lastTickEndedMs ?? this.#startedMs) < this.#patienceMs(),
      lastTickEndedMs: running?.lastTickEndedMs ?? null,
      clockOffsetMs: this.#hubClock.offsetMs,
      spool: running?.spoolStatus() ?? NO_SPOOL,
      counters: this.#counters.all(),
    };
  }

  metrics(): string {
    return agentMetrics({
      status: this.status(),
      timings: this.#timings,
      spoolLimitBytes: this.#policy?.current.spoolMaxBytes ?? this.#config.spoolMaxBytes,
      policyRevision: this.#policy?.current.revision ?? 0,
      roundTripMs: this.#hubClock.roundTripMs,
      hubNowMs: this.#hubClock.now(),
    });
  }

  async #join(folder: StateFolder): Promise<RunningAgent> {
    const { connection, log } = this.#deps;
    const policy = new PolicyHolder(folder.file("policy.json"), this.#config);
    await policy.load();
    this.#policy = policy;
    const identity = await obtainIdentity({
      ...this.#deps,
      config: this.#config,
      folder,
      agentVersion: AGENT_VERSION,
      readFingerprint: (signal) => readFingerprint(connection, signal),
      signal: this.#stopping.signal,
    });
    this.#identity = identity;
    const quarantine = createQuarantineFolder(folder.file("quarantine"));
    const spool = await this.#openSpool(folder, quarantine);
    log("info", "started", { cluster: identity.clusterName, version: AGENT_VERSION, spooled: spool.figures().batches });
    return new RunningAgent({
      ...this.#deps,
      config: this.#config,
      folder,
      identity,
      spool,
      quarantine,
      policy,
      hubClock: this.#hubClock,
      counters: this.#counters,
      timings: this.#timings,
      startedMs: this.#startedMs,
    });
  }

  async #openSpool(folder: StateFolder, quarantine: QuarantineFolder): Promise<Spool> {
    const policy = () => this.#policy?.current ?? this.#config;
    return openSpoolFolder(folder.file(SPOOL_FOLDER), {
      maxBytes: () => policy().spoolMaxBytes,
      maxAgeMs: () => policy().spoolMaxAgeSeconds * 1_000,
      now: () => this.#hubClock.now(),
      readHead: readEntryHead,
      onSync: (seconds) => this.#timings.fsync.observe(seconds),
      keepDamage: ({ name }, { offset }, content) => quarantine.keep(`${name}@${offset}`, content),
    });
  }

  #failure(error: unknown): AgentEnd {
    const { code, message } = reportError(error);
    if (code === "agent_stopped") return { reason: "stopped", code: null, message: "stopped" };
    this.#deps.log("error", "failed", { code, message });
    return { reason: "failed", code, message };
  }

  #patienceMs(): number {
    const { sampleIntervalMs = 0, usageFlushMs = 0, reportIntervalMs = 0 } = this.#policy?.current ?? {};
    return 2 * Math.min(sampleIntervalMs, usageFlushMs, reportIntervalMs) + LATE_TICK_MS;
  }
}

const NO_SPOOL: SpoolStatus = {
  spoolId: null,
  batches: 0,
  bytes: 0,
  oldestSealedMs: null,
  gaps: 0,
  quarantined: 0,
  coarsened: 0,
  dropped: 0,
  writeFailures: 0,
  disk: "ok",
  reserved: false,
  syncs: 0,
  syncMs: 0,
};
