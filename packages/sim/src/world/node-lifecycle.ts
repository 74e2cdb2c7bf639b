import type { NodePool } from "../records/node-pool.ts";
import type { NodeRecord } from "../records/records.ts";
import type { Seconds } from "../time/seconds.ts";
import { type ClusterWorld, podOctet } from "./cluster-world.ts";
import { deletePod, dropPod } from "./pod-lifecycle.ts";

const HEARTBEAT_SECONDS = 300;
/** Pods tolerate a node that is away for this long. */
const EVICTION_SECONDS = 300;
const RECLAIM_NOTICE_SECONDS = 120;

/** Makes nodes of a cluster and lets them join, fall ill and leave. */
export class Nodes {
  readonly #world: ClusterWorld;
  /** Hears of each node that joins; `since` is given for nodes older than the world. */
  readonly #joined: (node: NodeRecord, since?: Seconds) => void;
  #count = 0;

  constructor(world: ClusterWorld, joined: (node: NodeRecord, since?: Seconds) => void) {
    this.#world = world;
    this.#joined = joined;
  }

  /** A node that has been there since `since`. */
  addOld(pool: NodePool, since: Seconds): NodeRecord {
    const node = this.#makeNode(pool, since, true);
    this.#add(node);
    this.#joined(node, since + 30);
    return node;
  }

  /** A new node: registers now, is ready some seconds later. */
  join(pool: NodePool): void {
    const node = this.#makeNode(pool, this.#world.now, false);
    this.#add(node);
    this.#joined(node);
    this.#world.after(this.#world.random.integer(15, 40), () => this.setReady(node.name, true));
  }

  setReady(name: string, ready: boolean): void {
    const node = this.#world.node(name);
    if (node === undefined || node.ready === ready) return;
    const heartbeatAt = ready ? this.#world.now : node.heartbeatAt;
    this.#put({ ...node, ready, readySince: this.#world.now, heartbeatAt });
    const unreachableSince = ready ? null : this.#world.now;
    for (const pod of this.#podsOn(name)) {
      if (pod.phase === "Running") this.#world.store.put({ ...pod, unreachableSince });
    }
    if (!ready) this.#world.after(EVICTION_SECONDS, () => this.#evict(name));
  }

  cordon(name: string): void {
    const node = this.#world.node(name);
    if (node !== undefined) this.#put({ ...node, unschedulable: true });
  }

  /** The provider takes a node back: two minutes' notice, pods move, the node goes, another comes. */
  reclaim(node: NodeRecord): void {
    this.cordon(node.name);
    this.#deletePodsOn(node.name);
    this.#world.after(this.#world.random.integer(20, 60), () => this.join(node.pool));
    this.#world.after(RECLAIM_NOTICE_SECONDS, () => this.#leave(node));
  }

  /** Each node that is ready says so every five minutes. */
  startHeartbeats(): void {
    this.#world.every(30, () => {
      for (const node of this.#world.nodes()) {
        if (node.ready && this.#world.now - node.heartbeatAt >= HEARTBEAT_SECONDS) {
          this.#world.store.put({ ...node, heartbeatAt: this.#world.now });
        }
      }
    });
  }

  /** Its pods start again elsewhere, if the node is still away. */
  #evict(name: string): void {
    if (this.#world.node(name)?.ready === false) this.#deletePodsOn(name);
  }

  /** Pods that belong to the node itself stay. */
  #deletePodsOn(name: string): void {
    for (const pod of this.#podsOn(name)) {
      if (pod.owner.kind !== "DaemonSet" && pod.owner.kind !== "Node") deletePod(this.#world, pod);
    }
  }

  #leave(node: NodeRecord): void {
    for (const pod of this.#podsOn(node.name)) dropPod(this.#world, pod);
    this.#world.store.remove("nodes", "", node.name);
    this.#world.packing.removeNode(node.name);
    this.#world.truth.nodeLeft(node.uid, this.#world.now);
  }

  #podsOn(name: string) {
    return this.#world.pods().filter((pod) => pod.node === name);
  }

  #add(node: NodeRecord): void {
    this.#world.packing.addNode(node.name, node.pool, false);
    this.#world.truth.nodeJoined(node);
    this.#put(node);
  }

  #put(node: NodeRecord): void {
    this.#world.packing.setOpen(node.name, node.ready && !node.unschedulable);
    this.#world.store.put(node);
  }

  #makeNode(pool: NodePool, createdAt: Seconds, ready: boolean): NodeRecord {
    const { plan, random } = this.#world;
    const index = this.#count++;
    const zoneIndex = index % plan.region.zones.length;
    const address = `10.${10 + (plan.index % 100)}.${Math.floor(index / 240)}.${10 + (index % 240)}`;
    const identity = plan.cloud.node({
      random,
      clusterName: plan.name,
      region: plan.region,
      poolName: pool.name,
      poolClass: pool.class,
      spot: pool.spot,
      machine: pool.machine,
      zoneIndex,
      index,
      address,
    });
    return {
      resource: "nodes",
      namespace: "",
      name: identity.name,
      uid: random.uuid(),
      createdAt,
      pool,
      labels: { ...identity.labels, ...pool.labels },
      providerId: identity.providerId,
      zone: plan.region.zones[zoneIndex] ?? plan.region.zones[0],
      address,
      podCidr: `10.${podOctet(plan.index)}.${index % 256}.0/24`,
      kubeletVersion: plan.kubelet,
      ready,
      readySince: createdAt + (ready ? 25 : 0),
      // Heartbeats are spread over their five minutes.
      heartbeatAt: ready ? this.#world.now - random.integer(0, HEARTBEAT_SECONDS) : createdAt,
      unschedulable: false,
    };
  }
}
