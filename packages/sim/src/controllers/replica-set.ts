import type { OwnerRecord, PodRecord, ReplicatedRecord } from "../records/records.ts";
import type { Seconds } from "../time/seconds.ts";
import type { ClusterWorld } from "../world/cluster-world.ts";
import { createPod, deletePod, placeOldPod } from "../world/pod-lifecycle.ts";
import type { PodOwner } from "../world/pod-owner.ts";
import type { WorkloadOrder } from "./workload-order.ts";

/** What a Deployment wants to hear of its ReplicaSets. */
export interface ReplicaSetListener {
  readonly owner: OwnerRecord;
  replicaSetChanged(set: ReplicaSet): void;
  podReady(set: ReplicaSet): void;
}

/** One revision of a Deployment: keeps as many pods as it is told to, replaces those that leave. */
export class ReplicaSet implements PodOwner {
  readonly reference: OwnerRecord;
  readonly workload: PodOwner["workload"];
  readonly #world: ClusterWorld;
  readonly #order: WorkloadOrder;
  readonly #listener: ReplicaSetListener;
  readonly #revision: number;
  readonly #hash: string;
  readonly #createdAt: Seconds;
  /** Live pods, oldest first. */
  readonly #pods = new Map<string, PodRecord>();
  readonly #ready = new Set<string>();
  #replicas = 0;
  #generation = 1;

  constructor(world: ClusterWorld, order: WorkloadOrder, revision: number, listener: ReplicaSetListener, at: Seconds) {
    this.#world = world;
    this.#order = order;
    this.#listener = listener;
    this.#revision = revision;
    this.#createdAt = at;
    this.#hash = `${world.random.hex(5)}${world.random.suffix(5)}`;
    const name = `${order.name}-${this.#hash}`;
    this.reference = { apiVersion: "apps/v1", kind: "ReplicaSet", name, uid: world.random.uuid() };
    this.workload = { kind: "Deployment", name: order.name };
    world.owners.set(this.reference.uid, this);
  }

  get replicas(): number {
    return this.#replicas;
  }

  get ready(): number {
    return this.#ready.size;
  }

  get pods(): readonly PodRecord[] {
    return [...this.#pods.values()];
  }

  /** Fills it with pods that have run since before the world began. */
  fill(replicas: number, since: () => Seconds): void {
    this.#replicas = replicas;
    for (let i = 0; i < replicas; i++) {
      const pod = placeOldPod(this.#world, this.#podOrder(), since());
      this.#pods.set(pod.uid, pod);
    }
    this.#write();
  }

  /** Creates or deletes pods until there are `replicas`; the youngest go first. */
  scaleTo(replicas: number): void {
    if (replicas !== this.#replicas) this.#generation++;
    this.#replicas = replicas;
    this.#write();
    this.#settle();
  }

  /** Removes the object; its pods are gone already. */
  remove(): void {
    this.#world.owners.delete(this.reference.uid);
    this.#world.store.remove("replicasets", this.#order.namespace, this.reference.name);
  }

  podStarted(pod: PodRecord): void {
    this.#ready.add(pod.uid);
    if (!this.#pods.has(pod.uid)) return;
    this.#write();
    this.#listener.podReady(this);
  }

  podLeft(pod: PodRecord): void {
    this.#ready.delete(pod.uid);
    this.#pods.delete(pod.uid);
    this.#write();
    this.#settle();
  }

  podGone(): void {}

  #settle(): void {
    while (this.#pods.size < this.#replicas) {
      const pod = createPod(this.#world, this.#podOrder());
      this.#pods.set(pod.uid, pod);
    }
    if (this.#pods.size > this.#replicas) {
      // podLeft takes it out and settles the rest.
      const youngest = this.pods.at(-1);
      if (youngest !== undefined) deletePod(this.#world, youngest);
    }
  }

  #podOrder() {
    const { namespace, template } = this.#order;
    const labels = { ...template.labels, "pod-template-hash": this.#hash };
    const name = `${this.reference.name}-${this.#world.random.suffix(5)}`;
    return { owner: this, namespace, name, template, labels };
  }

  #write(): void {
    const { namespace, template, selector } = this.#order;
    const hash = { "pod-template-hash": this.#hash };
    const record: ReplicatedRecord = {
      resource: "replicasets",
      namespace,
      name: this.reference.name,
      uid: this.reference.uid,
      createdAt: this.#createdAt,
      template,
      labels: { ...template.labels, ...hash },
      selector: { ...selector, ...hash },
      owner: this.#listener.owner,
      replicas: this.#replicas,
      ready: this.#ready.size,
      generation: this.#generation,
      revision: this.#revision,
    };
    this.#world.store.put(record);
    this.#listener.replicaSetChanged(this);
  }
}
