import type { KubeResource } from "@plimsoll/contracts";
import type { ServedCluster } from "../api/served-cluster.ts";
import { buildWorld } from "../build/build-world.ts";
import { type Fault, FaultBox, type InjectedFault } from "../faults/fault-box.ts";
import type { ClusterPlan } from "../fleet/fleet-plan.ts";
import { hashUnit } from "../random/hash.ts";
import type { SimulatorClock } from "../time/clock.ts";
import { MINUTE, type Seconds, secondsOf } from "../time/seconds.ts";
import type { NodeTruth, PodTruth } from "../truth/pod-truth.ts";
import type { ClusterWorld, WorldSettings } from "../world/cluster-world.ts";
import { type GivenObject, givenRecord } from "./given-object.ts";

/** The API of a cluster with outages answers from minute 0 to 10 and from 13 to 15 of each quarter since the start. */
const OUTAGE_PERIOD = 15 * MINUTE;
const OUTAGE_BEGIN = 10 * MINUTE;
const OUTAGE_END = 13 * MINUTE;
const SLOW_MS = { least: 300, most: 1_200 };

/** What the clusters of one simulator share. */
export interface ClusterContext {
  readonly settings: WorldSettings;
  readonly clock: SimulatorClock;
  readonly bookmarkSeconds: number;
  /** Simulated time. */
  now(): Seconds;
}

/** One simulated cluster: its address, what it is, and ways to make it misbehave and to learn what really happened in it. */
export class SimulatedCluster implements ServedCluster {
  readonly name: string;
  readonly server: string;
  readonly token: string;
  readonly plan: ClusterPlan;
  readonly faults = new FaultBox();
  readonly #context: ClusterContext;
  readonly #watches = new Set<() => void>();
  readonly #requests = new Map<string, number>();
  #world: ClusterWorld | undefined;
  #wasOut = false;

  constructor(plan: ClusterPlan, server: string, token: string, context: ClusterContext) {
    this.name = plan.name;
    this.server = server;
    this.token = token;
    this.plan = plan;
    this.#context = context;
  }

  get clock(): SimulatorClock {
    return this.#context.clock;
  }

  get bookmarkSeconds(): number {
    return this.#context.bookmarkSeconds;
  }

  /** How many requests came, by verb and subject ("list pods" → 3). */
  get requests(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#requests);
  }

  /** Watches that run now. */
  get openWatches(): number {
    return this.#watches.size;
  }

  world(): ClusterWorld {
    this.#world ??= buildWorld(this.plan, this.#context.settings);
    this.#world.advance(this.#context.now());
    return this.#world;
  }

  /** Catches up with the simulated time, if anybody has looked at it yet. */
  catchUp(): void {
    this.#world?.advance(this.#context.now());
    const out = this.isOut();
    if (out && !this.#wasOut) this.cutWatches();
    this.#wasOut = out;
  }

  isOut(): boolean {
    if (this.plan.sickness !== "api-outages") return false;
    const phase = (this.#context.now() - this.#context.settings.startAt) % OUTAGE_PERIOD;
    return phase >= OUTAGE_BEGIN && phase < OUTAGE_END;
  }

  answerDelayMs(): number {
    if (this.plan.sickness !== "slow-api") return 0;
    const share = hashUnit(this.#context.now(), this.#requests.size);
    return Math.floor(SLOW_MS.least + (SLOW_MS.most - SLOW_MS.least) * share);
  }

  count(request: string): void {
    this.#requests.set(request, (this.#requests.get(request) ?? 0) + 1);
  }

  registerWatch(breakOff: () => void): () => void {
    this.#watches.add(breakOff);
    return () => this.#watches.delete(breakOff);
  }

  /** Lets something go wrong. */
  inject(fault: Fault): InjectedFault {
    return this.faults.inject(fault);
  }

  /** Closes the connections of all running watches, between events. */
  cutWatches(): void {
    for (const breakOff of [...this.#watches]) breakOff();
  }

  /** Forgets every past revision: continue tokens and watches from before now get 410. Gives the oldest one left. */
  compact(): string {
    const { store } = this.world();
    store.compact();
    return String(store.compacted);
  }

  /** Creates or replaces an object of one's own. Gives its resourceVersion. Nothing schedules or changes it. */
  put(resource: KubeResource, object: GivenObject): string {
    const { store, now } = this.world();
    const { namespace = "", name } = object.metadata;
    const previous = store.get(resource, namespace, name)?.record;
    store.put(givenRecord(resource, object, previous, { now, revision: store.revision }));
    return String(store.revision);
  }

  /** Removes an object; does nothing when there is none. */
  remove(resource: KubeResource, namespace: string, name: string): void {
    this.world().store.remove(resource, namespace, name);
  }

  /** What really happened to its pods in [from, to), by start and UID. */
  truth(from: Date, to: Date): readonly PodTruth[] {
    return this.world().truth.pods(secondsOf(from), secondsOf(to));
  }

  /** What really happened to its nodes in [from, to). */
  nodeTruth(from: Date, to: Date): readonly NodeTruth[] {
    return this.world().truth.nodes(secondsOf(from), secondsOf(to));
  }
}
