import type { OwnerRecord, ReplicatedRecord } from "../records/records.ts";
import type { Seconds } from "../time/seconds.ts";
import type { ClusterWorld } from "../world/cluster-world.ts";
import { ReplicaSet, type ReplicaSetListener } from "./replica-set.ts";
import type { WorkloadOrder } from "./workload-order.ts";

/** Old revisions that stay, without pods, for a roll-back. */
const KEPT_REVISIONS = 2;

/** A Deployment: scales with the load and is rolled out now and then, one pod more before one pod less. */
export class Deployment implements ReplicaSetListener {
  readonly owner: OwnerRecord;
  readonly order: WorkloadOrder;
  readonly #world: ClusterWorld;
  readonly #createdAt: Seconds;
  #current: ReplicaSet;
  /** Older revisions, oldest first; the last may still have pods. */
  #old: ReplicaSet[] = [];
  #replicas: number;
  #revision = 1;
  #generation = 1;

  /** Starts as one that was created at `createdAt` and has `replicas` pods, each running since some later moment. */
  constructor(world: ClusterWorld, order: WorkloadOrder, createdAt: Seconds, replicas: number, since: () => Seconds) {
    this.#world = world;
    this.order = order;
    this.#createdAt = createdAt;
    this.#replicas = replicas;
    this.owner = { apiVersion: "apps/v1", kind: "Deployment", name: order.name, uid: world.random.uuid() };
    this.#current = this.#newSet(createdAt);
    this.#current.fill(replicas, since);
  }

  get replicas(): number {
    return this.#replicas;
  }

  /** Is a rollout under way? */
  get rolling(): boolean {
    return this.#old.some((set) => set.replicas > 0);
  }

  scaleTo(replicas: number): void {
    if (replicas === this.#replicas || this.rolling) return;
    this.#replicas = replicas;
    this.#generation++;
    this.#current.scaleTo(replicas);
  }

  /** Starts a new revision: its first pod comes up now, each that is ready sends one old pod away. */
  roll(): void {
    if (this.rolling || this.#replicas === 0) return;
    this.#revision++;
    this.#generation++;
    this.#old.push(this.#current);
    this.#current = this.#newSet(this.#world.now);
    this.#current.scaleTo(1);
  }

  podReady(set: ReplicaSet): void {
    if (set !== this.#current) return;
    const previous = this.#old.at(-1);
    if (previous === undefined || previous.replicas === 0) return;
    if (set.ready < set.replicas) return;
    previous.scaleTo(previous.replicas - 1);
    if (set.replicas < this.#replicas) set.scaleTo(set.replicas + 1);
    else if (previous.replicas > 0) previous.scaleTo(0);
    this.#forgetOldRevisions();
  }

  replicaSetChanged(): void {
    this.#write();
  }

  #newSet(at: Seconds): ReplicaSet {
    return new ReplicaSet(this.#world, this.order, this.#revision, this, at);
  }

  #forgetOldRevisions(): void {
    while (this.#old.length > KEPT_REVISIONS) this.#old.shift()?.remove();
  }

  #write(): void {
    const { namespace, name, template, labels, selector } = this.order;
    const ready = this.#old.reduce((sum, set) => sum + set.ready, this.#current.ready);
    const record: ReplicatedRecord = {
      resource: "deployments",
      namespace,
      name,
      uid: this.owner.uid,
      createdAt: this.#createdAt,
      template,
      labels,
      selector,
      owner: null,
      replicas: this.#replicas,
      ready,
      generation: this.#generation,
      revision: this.#revision,
    };
    this.#world.store.put(record);
  }
}
