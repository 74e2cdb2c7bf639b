import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@plimsoll/collect";
import { CommandState, parseEnvelope, sealBatch } from "@plimsoll/contracts/wire";
import type { AgentEnd } from "../../packages/agent/src/agent.ts";
import { type ControlClient, startControl } from "../../packages/agent/src/channel/control-client.ts";
import { createDial } from "../../packages/agent/src/channel/hub-client.ts";
import { createHubClock } from "../../packages/agent/src/channel/hub-clock.ts";
import { startIngest } from "../../packages/agent/src/channel/ingest-client.ts";
import type { KeptStream } from "../../packages/agent/src/channel/keep-stream.ts";
import type { Identity } from "../../packages/agent/src/join/identity.ts";
import { openSpoolFolder } from "../../packages/agent/src/spool/open-spool-folder.ts";
import type { Spool } from "../../packages/agent/src/spool/spool.ts";
import type { JoinedCluster } from "../../packages/hub/src/testing/test-hub.ts";
import { sampleRow } from "../hub/facts.ts";

/** What tells one process of a cluster's agent from another. */
export interface ChannelAgentOptions {
  readonly instance?: string;
  readonly startedMs?: number;
  /** Batches in its spool before it connects, one row each, a minute apart. */
  readonly batches?: number;
  readonly onPolicy?: (revision: number, sampleIntervalMs: number) => void;
}

/** An agent's real channel over a real spool: both streams, without a cluster behind them. */
export class ChannelAgent {
  readonly #cluster: JoinedCluster;
  readonly #options: ChannelAgentOptions;
  readonly #folder: string;
  readonly #spool: Spool;
  readonly #stopping = new AbortController();
  #control: ControlClient | undefined;
  #ingest: KeptStream | undefined;
  /** How often each stream was connected, by name. */
  readonly connected = { control: 0, ingest: 0 };
  readonly refused: string[] = [];

  static async make(cluster: JoinedCluster, options: ChannelAgentOptions = {}): Promise<ChannelAgent> {
    const folder = mkdtempSync(join(tmpdir(), "plimsoll-channel-"));
    const spool = await openSpoolFolder(folder, {
      maxBytes: () => 2 ** 30,
      now: Date.now,
      readHead: (bytes) => {
        const { sealedAtMs, replaces } = parseEnvelope(bytes);
        return { sealedAtMs, untilMs: sealedAtMs, replaces };
      },
      keepDamage: async () => undefined,
    });
    const agent = new ChannelAgent(cluster, options, folder, spool);
    const now = Date.now();
    const { batches = 0 } = options;
    for (let age = batches; age > 0; age -= 1) await agent.spool(now - age * 60_000);
    return agent;
  }

  private constructor(cluster: JoinedCluster, options: ChannelAgentOptions, folder: string, spool: Spool) {
    this.#cluster = cluster;
    this.#options = options;
    this.#folder = folder;
    this.#spool = spool;
  }

  /** Spools one more batch of one row. */
  async spool(atMs = Date.now()): Promise<void> {
    const { clusterId, incarnation } = this.#cluster;
    await this.#spool.append("sample", (spoolId, sequence) => {
      const rows = [sampleRow({ windowStartMs: Math.floor(atMs / 300_000) * 300_000, subject: `node-${sequence}` })];
      const facts = { sealedAtMs: atMs, agentClockMs: atMs, policyRevision: 1, replaces: null };
      const { bytes } = sealBatch({ clusterId, incarnation, spoolId, sequence }, { kind: "sample", rows }, facts);
      return { bytes, sealedAtMs: atMs };
    });
  }

  /** Batches that wait for their acknowledgement. */
  get waiting(): number {
    return this.#spool.figures().batches;
  }

  /** Opens both streams: at the same time, or with `controlFirst` data as part of a session that is there. */
  async connect({ controlFirst = false } = {}): Promise<void> {
    const { instance = "agent-0", startedMs = 1, onPolicy = () => {} } = this.#options;
    const { clusterId: clusterName, key: privateKey } = this.#cluster;
    const identity: Identity = { ...this.#cluster, clusterName, privateKey };
    const shared = {
      identity,
      instance,
      agentVersion: "0.1.0",
      startedMs,
      dial: createDial(identity),
      clock: systemClock,
      random: Math.random,
      log: (_: string, event: string) => this.#note(event),
      signal: this.#stopping.signal,
      hubClock: createHubClock(systemClock),
      session: { epoch: 0n, fleetSize: 0 },
      count: () => {},
    };
    this.#control = startControl({
      ...shared,
      policyRevision: () => 0,
      spool: () => ({ ...this.#spool.figures(), quarantined: 0 }),
      health: () => "healthy",
      applyPolicy: async ({ revision, sampleIntervalMs }) => {
        onPolicy(Number(revision), sampleIntervalMs);
        return null;
      },
      carryOut: async () => ({ state: CommandState.DONE, errorCode: "", message: "" }),
    });
    while (controlFirst && shared.session.epoch === 0n) await new Promise((resolve) => setTimeout(resolve, 5));
    this.#ingest = startIngest({
      ...shared,
      address: () => this.#cluster.controlAddress,
      spool: this.#spool,
      quarantine: async (_, code) => void this.refused.push(code),
    });
  }

  /** How both streams ended; null = they were stopped. */
  ended(): Promise<readonly (AgentEnd | null | undefined)[]> {
    return Promise.all([this.#control?.ended, this.#ingest?.ended]);
  }

  async remove(): Promise<void> {
    this.#stopping.abort();
    await this.ended();
    await this.#spool.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #note(event: string): void {
    if (event === "control_connected") this.connected.control += 1;
    if (event === "ingest_connected") this.connected.ingest += 1;
  }
}
