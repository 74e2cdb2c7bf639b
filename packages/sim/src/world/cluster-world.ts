import type { ClusterPlan } from "../fleet/fleet-plan.ts";
import { createRandom, type Random } from "../random/random.ts";
import type { NodeRecord, PodRecord } from "../records/records.ts";
import { ObjectStore } from "../store/object-store.ts";
import { EventQueue } from "../time/event-queue.ts";
import { MINUTE, type Seconds } from "../time/seconds.ts";
import { TruthLedger } from "../truth/truth-ledger.ts";
import { Packing } from "./packing.ts";
import type { PodOwner } from "./pod-owner.ts";
import type { UsageModel } from "./pod-usage.ts";

/** How a world is run. */
export interface WorldSettings {
  readonly startAt: Seconds;
  /** Do things happen after the start? */
  readonly churn: boolean;
  readonly load: UsageModel["load"];
  readonly podsPerCluster: number;
  /** How long past states can be read and watched from. */
  readonly historySeconds: Seconds;
  /** How long ended lives stay in the truth. */
  readonly truthSeconds: Seconds;
}

/**
 * One simulated cluster: its objects, what is planned to happen, and what is written down of it. A function of the plan's
 * seed, the start and the time: whoever advances it, in whatever steps, finds the same objects with the same revisions.
 */
export class ClusterWorld {
  readonly plan: ClusterPlan;
  readonly settings: WorldSettings;
  readonly random: Random;
  readonly store: ObjectStore;
  readonly packing = new Packing();
  readonly truth: TruthLedger;
  readonly usageModel: UsageModel;
  /** Controllers by the UID that their pods' owner reference names. */
  readonly owners = new Map<string, PodOwner>();
  readonly #queue = new EventQueue();
  #now: Seconds;
  #podAddresses = 0;

  constructor(plan: ClusterPlan, settings: WorldSettings) {
    this.plan = plan;
    this.settings = settings;
    this.random = createRandom(plan.seed);
    this.store = new ObjectStore(this.random.integer(100_000, 90_000_000));
    this.usageModel = { load: settings.load, utcOffsetHours: plan.region.utcOffsetHours };
    this.truth = new TruthLedger(this.usageModel);
    this.#now = settings.startAt;
    this.#ageEachMinute();
  }

  get now(): Seconds {
    return this.#now;
  }

  /** Plans `run` in so many seconds; 0 is still in this second, after what is planned for it already. */
  after(seconds: Seconds, run: () => void): void {
    this.#queue.plan(this.#now + seconds, run);
  }

  at(when: Seconds, run: () => void): void {
    this.#queue.plan(Math.max(when, this.#now), run);
  }

  /** Runs `run` each `period` seconds from now on, for ever. */
  every(period: Seconds, run: () => void): void {
    this.after(period, () => {
      run();
      this.every(period, run);
    });
  }

  /** Lets everything happen that is planned up to and including `until`; goes never back. */
  advance(until: Seconds): void {
    for (let event = this.#queue.take(until); event !== undefined; event = this.#queue.take(until)) {
      this.#now = event.at;
      event.run();
    }
    this.#now = Math.max(this.#now, until);
  }

  /** The pod as it is now; undefined when it is gone, even if another has its name. */
  pod(pod: PodRecord): PodRecord | undefined {
    const record = this.store.get("pods", pod.namespace, pod.name)?.record;
    return record?.resource === "pods" && record.uid === pod.uid ? record : undefined;
  }

  node(name: string): NodeRecord | undefined {
    const record = this.store.get("nodes", "", name)?.record;
    return record?.resource === "nodes" ? record : undefined;
  }

  nodes(): readonly NodeRecord[] {
    return this.store.list("nodes").flatMap(({ record }) => (record.resource === "nodes" ? [record] : []));
  }

  pods(): readonly PodRecord[] {
    return this.store.list("pods").flatMap(({ record }) => (record.resource === "pods" ? [record] : []));
  }

  /** An address in the cluster's pod range that was not given before (until 65,000 were). */
  nextPodAddress(): string {
    const count = this.#podAddresses++ % 65_000;
    return `10.${podOctet(this.plan.index)}.${count >> 8}.${count & 255}`;
  }

  #ageEachMinute(): void {
    this.every(MINUTE, () => {
      this.store.age(this.#now, this.settings.historySeconds);
      this.truth.forget(this.#now - this.settings.truthSeconds);
    });
  }
}

/** Second number of a cluster's pod range 10.N.0.0/16: every hundred clusters the ranges come round, and overlap. */
export function podOctet(clusterIndex: number): number {
  return 128 + (clusterIndex % 100);
}
