import type { NodeRecord, OwnerRecord, PodRecord } from "../records/records.ts";
import type { Seconds } from "../time/seconds.ts";
import type { ClusterWorld } from "../world/cluster-world.ts";
import { createPod, placeOldPod } from "../world/pod-lifecycle.ts";
import type { PodOwner } from "../world/pod-owner.ts";
import type { WorkloadOrder } from "./workload-order.ts";

/** A DaemonSet: one pod on each node that is a machine. */
export class DaemonSet implements PodOwner {
  readonly reference: OwnerRecord;
  readonly workload: PodOwner["workload"];
  readonly #world: ClusterWorld;
  readonly #order: WorkloadOrder;
  readonly #createdAt: Seconds;
  readonly #pods = new Set<string>();
  readonly #ready = new Set<string>();

  constructor(world: ClusterWorld, order: WorkloadOrder, createdAt: Seconds) {
    this.#world = world;
    this.#order = order;
    this.#createdAt = createdAt;
    this.reference = { apiVersion: "apps/v1", kind: "DaemonSet", name: order.name, uid: world.random.uuid() };
    this.workload = { kind: "DaemonSet", name: order.name };
    world.owners.set(this.reference.uid, this);
    this.#write();
  }

  /** A node joined; `since` is when, for nodes that are older than the world. */
  nodeJoined(node: NodeRecord, since?: Seconds): void {
    if (node.pool.class === "virtual") return;
    const { namespace, name, template } = this.#order;
    const labels = { ...template.labels, "controller-revision-hash": "6d5f7c9b8" };
    const podName = `${name}-${this.#world.random.suffix(5)}`;
    const order = { owner: this, namespace, name: podName, template, labels, node: node.name };
    const pod = since === undefined ? createPod(this.#world, order) : placeOldPod(this.#world, order, since);
    this.#pods.add(pod.uid);
    this.#write();
  }

  podStarted(pod: PodRecord): void {
    this.#ready.add(pod.uid);
    this.#write();
  }

  podLeft(pod: PodRecord): void {
    this.#ready.delete(pod.uid);
    this.#pods.delete(pod.uid);
    this.#write();
  }

  podGone(): void {}

  #write(): void {
    const { namespace, name, template, labels, selector } = this.#order;
    this.#world.store.put({
      resource: "daemonsets",
      namespace,
      name,
      uid: this.reference.uid,
      createdAt: this.#createdAt,
      template,
      labels,
      selector,
      desired: this.#pods.size,
      ready: this.#ready.size,
    });
  }
}
