import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Random } from "../oracle/random.ts";
import { freePorts } from "../testbed/free-ports.ts";
import { AgentChild, type SpooledBatch } from "./agent-child.ts";
import type { Break } from "./broken-parts.ts";
import { DiskImage } from "./disk-image.ts";
import { type Fact, HOUR_MS, hourOf, nameOf } from "./facts.ts";
import { HubChild } from "./hub-child.ts";
import { startToxiproxy, type Toxiproxy } from "./toxiproxy.ts";
import { Truth } from "./truth.ts";

/** World time begins so long ago: it may run ahead of the machine's, and never into its future. */
const WORLD_BEHIND_MS = 24 * 3_600_000;
const AGENT_MEGABYTES = 64;
const HUB_MEGABYTES = 2_048;
const BEAT_MS = 20_000;

/** Names of agents, and of their folders. */
const [SECOND, COPY] = ["second", "copy"];

/** Where everything of a run lies and listens. */
interface Places {
  readonly room: string;
  readonly ports: Readonly<Record<"rest" | "control" | "proxy" | "api", number>>;
}

/** A hub and an agent behind a proxy, each on a disk of its own, and the truth about what was told to whom. */
export class Bed {
  readonly room: string;
  readonly random: Random;
  readonly truth: Truth;
  readonly proxy: Toxiproxy;
  readonly agentDisk: DiskImage;
  readonly hubDisk: DiskImage;
  /** Batches that a fact was spooled in; a fact that is in none has yet to be told to an agent again. */
  readonly batchesOf = new Map<string, SpooledBatch[]>();
  readonly #places: Places;
  readonly #broken: Break | null;
  hub: HubChild;
  agent: AgentChild;
  /** World time is the machine's and this. */
  offsetMs: number;
  /** What the agent's clock is wrong by. */
  skewMs = 0;
  /** There is a second agent's spool, which may hold something. */
  hasSecond = false;
  readonly #unspooled = new Map<string, Fact>();
  #starts = 0;

  private constructor(parts: BedParts) {
    this.room = parts.places.room;
    this.random = parts.random;
    this.proxy = parts.proxy;
    this.truth = new Truth(join(this.room, "truth.ndjson"), parts.random);
    this.agentDisk = parts.agentDisk;
    this.hubDisk = parts.hubDisk;
    this.hub = parts.hub;
    this.offsetMs = parts.offsetMs;
    this.#places = parts.places;
    this.#broken = parts.broken;
    this.agent = this.#newAgent("first", parts.joinToken);
  }

  /** Starts everything; the agent has joined. `hours` of world time will pass at most. */
  static async open(random: Random, broken: Break | null, hours: number): Promise<Bed> {
    const [rest = 0, control = 0, proxy = 0, api = 0] = await freePorts(4);
    const places = { room: mkdtempSync(join(tmpdir(), "plimsoll-ledger-")), ports: { rest, control, proxy, api } };
    // The first hour is one that begins before the cluster is registered: nothing of it is asked.
    const nowMs = Date.now();
    const offsetMs = hourOf(nowMs) - WORLD_BEHIND_MS - hours * HOUR_MS + 50 * 60_000 - nowMs;
    const agentDisk = new DiskImage(places.room, "agent", AGENT_MEGABYTES);
    const hubDisk = new DiskImage(places.room, "hub", HUB_MEGABYTES);
    const toxiproxy = await startToxiproxy({ api, listen: proxy, upstream: control });
    const hub = newHub({ places, offsetMs, broken, hubDisk });
    const parts = { places, random, broken, proxy: toxiproxy, agentDisk, hubDisk, hub, offsetMs };
    try {
      await hub.ready();
      const bed = new Bed({ ...parts, joinToken: await hub.joinToken("ledger") });
      await bed.agent.joined();
      return bed;
    } catch (error) {
      await Promise.all([hub.kill(), toxiproxy.stop()]);
      agentDisk.remove();
      hubDisk.remove();
      throw error;
    }
  }

  get hubFolder(): string {
    return folderOf(this.hubDisk);
  }

  get agentFolder(): string {
    return join(this.agentDisk.path, "state");
  }

  nowMs(): number {
    return Date.now() + this.offsetMs;
  }

  /** World time goes on by this. */
  pass(ms: number): void {
    this.offsetMs += ms;
    this.hub.tell({ kind: "world", offsetMs: this.offsetMs });
    this.setAgentClock();
  }

  setAgentClock(): void {
    this.agent.setClock(this.offsetMs + this.skewMs);
  }

  /** Facts happen, and this agent is told of them. */
  happen(agent = this.agent): void {
    this.tell(this.truth.happen(this.nowMs()), agent);
  }

  tell(facts: readonly Fact[], agent = this.agent): void {
    for (const fact of facts) this.#unspooled.set(nameOf(fact), fact);
    agent.drive(facts);
  }

  /** Facts that are on no agent's disk, as far as anybody said so. */
  get unspooled(): readonly Fact[] {
    return [...this.#unspooled.values()];
  }

  async startHub(): Promise<void> {
    const { offsetMs, hubDisk } = this;
    if (!this.hub.alive) this.hub = newHub({ places: this.#places, broken: this.#broken, hubDisk, offsetMs });
    await this.hub.ready();
  }

  /** Starts the agent if it is gone. It is told again what nobody said was spooled, as a meter does from its checkpoint. */
  async startAgent(): Promise<void> {
    if (!this.agent.alive) this.agent = this.#newAgent("first", null);
    await this.agent.joined();
    this.setAgentClock();
    this.agent.driveAgain(this.unspooled);
  }

  /**
   * Another agent of the same cluster, with facts of its own to come; or, `copied`, with a copy of the first one's whole
   * folder, the spool included, which is told of nothing.
   */
  async startSecond(copied: boolean): Promise<AgentChild> {
    const instance = copied ? COPY : SECOND;
    const folder = join(this.room, instance);
    if (copied) rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const name of copied ? ["identity.json", "agent.key", "spool"] : ["identity.json", "agent.key"]) {
      cpSync(join(this.agentFolder, name), join(folder, name), { recursive: true });
    }
    this.hasSecond ||= !copied;
    const second = this.#newAgent(instance, null);
    await second.joined();
    return second;
  }

  async close(): Promise<void> {
    await Promise.all([this.agent.kill(), this.hub.kill(), this.proxy.stop()]);
    this.agentDisk.remove();
    this.hubDisk.remove();
    rmSync(this.room, { recursive: true, force: true });
  }

  #newAgent(instance: string, joinToken: string | null): AgentChild {
    this.#starts += 1;
    const stateDir = instance === "first" ? this.agentFolder : join(this.room, instance);
    const config = { hubUrl: `http://127.0.0.1:${this.#places.ports.rest}`, joinToken, stateDir, instance };
    const offsetMs = this.offsetMs + this.skewMs;
    const start = { config, offsetMs, seed: this.#starts, broken: this.#broken, deliversOnly: instance === COPY };
    return new AgentChild(start, (batch) => this.#note(batch));
  }

  #note(batch: SpooledBatch): void {
    for (const name of batch.names) {
      this.#unspooled.delete(name);
      const batches = this.batchesOf.get(name) ?? [];
      batches.push(batch);
      this.batchesOf.set(name, batches);
    }
  }
}

interface HubParts {
  readonly places: Places;
  readonly broken: Break | null;
  readonly hubDisk: DiskImage;
  readonly offsetMs: number;
}

interface BedParts extends HubParts {
  readonly random: Random;
  readonly proxy: Toxiproxy;
  readonly agentDisk: DiskImage;
  readonly hub: HubChild;
  readonly joinToken: string;
}

const folderOf = (hubDisk: DiskImage): string => join(hubDisk.path, "data");

function newHub({ places, broken, hubDisk, offsetMs }: HubParts): HubChild {
  const { rest: port, control: controlPort, proxy } = places.ports;
  const publicControlAddress = `127.0.0.1:${proxy}`;
  const settings = { dataDir: folderOf(hubDisk), port, controlPort, publicControlAddress, beatMs: BEAT_MS };
  return new HubChild({ settings, offsetMs, broken });
}
