import type { Amounts } from "../records/amounts.ts";
import type { OwnerRecord, PodRecord } from "../records/records.ts";
import type { Seconds } from "../time/seconds.ts";
import type { ClusterWorld } from "../world/cluster-world.ts";
import { createPod, deletePod, placeOldPod, resizePod } from "../world/pod-lifecycle.ts";
import type { PodOwner } from "../world/pod-owner.ts";
import type { WorkloadOrder } from "./workload-order.ts";

/** A StatefulSet: named pods, each with its claim; a pod comes back under its name once the old one is gone. */
export class StatefulSet implements PodOwner {
  readonly reference: OwnerRecord;
  readonly workload: PodOwner["workload"];
  readonly #world: ClusterWorld;
  readonly #order: WorkloadOrder;
  readonly #createdAt: Seconds;
  readonly #claimOf: (pod: string) => string;
  readonly #ready = new Set<string>();

  constructor(world: ClusterWorld, order: WorkloadOrder, createdAt: Seconds, claimOf: (pod: string) => string) {
    this.#world = world;
    this.#order = order;
    this.#createdAt = createdAt;
    this.#claimOf = claimOf;
    this.reference = { apiVersion: "apps/v1", kind: "StatefulSet", name: order.name, uid: world.random.uuid() };
    this.workload = { kind: "StatefulSet", name: order.name };
    world.owners.set(this.reference.uid, this);
    for (let i = 0; i < order.maxReplicas; i++)
      placeOldPod(world, this.#podOrder(`${order.name}-${i}`), createdAt + 40 * (i + 1));
    this.#write();
  }

  /** Restarts one of its pods by deleting it. */
  restartOne(): void {
    const pod = this.#anyPod();
    if (pod !== undefined) deletePod(this.#world, pod);
  }

  /** Gives one of its pods other requests while it runs. */
  resizeOne(scale: (requests: Amounts) => Amounts): void {
    const pod = this.#anyPod();
    const first = this.#order.template.containers[0];
    if (pod !== undefined && first !== undefined) resizePod(this.#world, pod, scale(first.requests));
  }

  podStarted(pod: PodRecord): void {
    this.#ready.add(pod.uid);
    this.#write();
  }

  podLeft(pod: PodRecord): void {
    this.#ready.delete(pod.uid);
    this.#write();
  }

  podGone(pod: PodRecord): void {
    createPod(this.#world, this.#podOrder(pod.name));
  }

  #anyPod(): PodRecord | undefined {
    const { namespace, name, maxReplicas } = this.#order;
    const ordinal = this.#world.random.integer(0, maxReplicas - 1);
    const record = this.#world.store.get("pods", namespace, `${name}-${ordinal}`)?.record;
    return record?.resource === "pods" ? record : undefined;
  }

  #podOrder(name: string) {
    const { namespace, template } = this.#order;
    const labels = { ...template.labels, "statefulset.kubernetes.io/pod-name": name };
    return { owner: this, namespace, name, template, labels, claim: this.#claimOf(name) };
  }

  #write(): void {
    const { namespace, name, template, labels, selector, maxReplicas } = this.#order;
    this.#world.store.put({
      resource: "statefulsets",
      namespace,
      name,
      uid: this.reference.uid,
      createdAt: this.#createdAt,
      template,
      labels,
      selector,
      owner: null,
      replicas: maxReplicas,
      ready: this.#ready.size,
      generation: 1,
      revision: 1,
    });
  }
}
