import { hashText } from "../random/hash.ts";
import type { Amounts, Request } from "../records/amounts.ts";
import { hasOrdinaryInit, type Labels, type PodTemplate, requestsOf } from "../records/pod-template.ts";
import type { PodRecord } from "../records/records.ts";
import type { Seconds } from "../time/seconds.ts";
import type { ClusterWorld } from "./cluster-world.ts";
import type { PodOwner } from "./pod-owner.ts";

const RETRY_SECONDS = 30;
const GRACE_SECONDS = 30;

/** What a controller decides of a pod. */
export interface PodOrder {
  readonly owner: PodOwner;
  readonly namespace: string;
  readonly name: string;
  readonly template: PodTemplate;
  readonly labels: Labels;
  readonly claim?: string;
  /** Goes to this node and no other (DaemonSets, static pods). */
  readonly node?: string;
}

/** Creates a pod; it is scheduled, initialised and started in the seconds that follow. */
export function createPod(world: ClusterWorld, order: PodOrder): PodRecord {
  const pod = newPod(world, order, world.now);
  world.store.put(pod);
  world.after(world.random.integer(0, 1), () => schedule(world, pod, order.node));
  return pod;
}

/** A pod that has been running since `since` (before the world began); pending like any other when no node has room. */
export function placeOldPod(world: ClusterWorld, order: PodOrder, since: Seconds): PodRecord {
  const pod = newPod(world, order, since);
  const node = findNode(world, pod, order.node);
  if (node === undefined) {
    world.store.put(pod);
    schedule(world, pod, order.node);
    return pod;
  }
  const scheduled = bind(world, pod, node, since);
  const waits = hasOrdinaryInit(pod.template);
  const initializedAt = since + (waits ? 9 : 1);
  if (waits) world.truth.request(pod.uid, initializedAt, requestsOf(pod.template).running);
  // Old pods have the last restart of a long life behind them, not all of their crashes.
  const restarts = world.random.chance(0.15) ? world.random.integer(1, 4) : 0;
  return start(world, { ...scheduled, initializedAt, restarts }, initializedAt + 4);
}

/** Lets a pod end by itself (jobs). */
export function finishPod(world: ClusterWorld, pod: PodRecord, phase: "Succeeded" | "Failed"): void {
  const current = world.pod(pod);
  if (current === undefined || current.finishedAt !== null || current.deletionAt !== null) return;
  const finished = { ...current, phase, finishedAt: world.now };
  freeNode(world, current);
  world.store.put(finished);
  ownerOf(world, current)?.podLeft(finished);
}

/** Asks a pod to end: its containers stop some seconds later, then the object goes. */
export function deletePod(world: ClusterWorld, pod: PodRecord): void {
  const current = world.pod(pod);
  if (current === undefined || current.deletionAt !== null) return;
  if (current.node === null || current.finishedAt !== null) {
    if (current.finishedAt === null) ownerOf(world, current)?.podLeft(current);
    removePod(world, current);
    return;
  }
  const terminating = { ...current, deletionAt: world.now + GRACE_SECONDS };
  world.store.put(terminating);
  ownerOf(world, current)?.podLeft(terminating);
  world.after(world.random.integer(2, 6), () => stop(world, terminating));
}

/** The pod's node is gone: it fails and vanishes at once, as the pod garbage collector does it. */
export function dropPod(world: ClusterWorld, pod: PodRecord): void {
  const current = world.pod(pod);
  if (current === undefined) return;
  if (current.finishedAt === null) {
    freeNode(world, current);
    const failed = { ...current, phase: "Failed" as const, disruptedAt: world.now };
    world.store.put(failed);
    if (current.deletionAt === null) ownerOf(world, current)?.podLeft(failed);
    removePod(world, failed);
  } else removePod(world, current);
}

/** Changes the requests of a running pod's first container in place. Does nothing when the node has no room. */
export function resizePod(world: ClusterWorld, pod: PodRecord, first: Amounts): void {
  const current = world.pod(pod);
  if (current?.node == null || current.phase !== "Running" || current.deletionAt !== null) return;
  const before = reservedFor(current);
  const resized = { ...current, resized: first };
  const after = reservedFor(resized);
  world.packing.release(current.node, before);
  if (!world.packing.fits(current.node, after)) {
    world.packing.reserve(current.node, before);
    return;
  }
  world.packing.reserve(current.node, after);
  world.truth.request(current.uid, world.now, requestsOf(current.template, first).running);
  world.store.put(resized);
}

/** A pod's own number: decides how its usage moves. */
export function saltOf(pod: PodRecord): number {
  return hashText(pod.uid);
}

function newPod(world: ClusterWorld, { owner, ...order }: PodOrder, createdAt: Seconds): PodRecord {
  return {
    resource: "pods",
    namespace: order.namespace,
    name: order.name,
    uid: world.random.uuid(),
    createdAt,
    template: order.template,
    labels: order.labels,
    owner: owner.reference,
    phase: "Pending",
    node: null,
    nodeAddress: "",
    address: "",
    scheduledAt: null,
    unschedulableSince: null,
    initializedAt: null,
    startedAt: null,
    finishedAt: null,
    deletionAt: null,
    unreachableSince: null,
    disruptedAt: null,
    restarts: 0,
    claim: order.claim ?? null,
    resized: null,
  };
}

function schedule(world: ClusterWorld, pod: PodRecord, pinned: string | undefined): void {
  const current = world.pod(pod);
  if (current === undefined || current.node !== null || current.deletionAt !== null) return;
  const node = findNode(world, current, pinned);
  if (node === undefined) {
    if (current.unschedulableSince === null) world.store.put({ ...current, unschedulableSince: world.now });
    world.after(RETRY_SECONDS, () => schedule(world, pod, pinned));
    return;
  }
  const scheduled = bind(world, current, node, world.now);
  if (hasOrdinaryInit(pod.template)) {
    world.after(world.random.integer(4, 15), () => initialise(world, scheduled));
  } else {
    world.after(world.random.integer(1, 6), () => startNow(world, scheduled, 1));
  }
}

function bind(world: ClusterWorld, pod: PodRecord, node: string, at: Seconds): PodRecord {
  const { nodeAddress, hostNetwork } = addressesOf(world, pod, node);
  const scheduled = {
    ...pod,
    node,
    nodeAddress,
    address: hostNetwork ? nodeAddress : world.nextPodAddress(),
    scheduledAt: at,
    unschedulableSince: null,
  };
  world.packing.reserve(node, reservedFor(pod));
  const { uid, namespace, name, template } = pod;
  const workload = ownerOf(world, pod)?.workload ?? { kind: pod.owner.kind, name: pod.owner.name };
  const life = { uid, namespace, name, node, workload, start: at, profile: template.usage, salt: saltOf(pod) };
  world.truth.bind(life, requestsOf(template).starting);
  world.store.put(scheduled);
  return scheduled;
}

function addressesOf(world: ClusterWorld, pod: PodRecord, node: string) {
  return { nodeAddress: world.node(node)?.address ?? "", hostNetwork: pod.template.mirror === true };
}

function initialise(world: ClusterWorld, pod: PodRecord): void {
  const current = world.pod(pod);
  if (current === undefined || isEnding(current)) return;
  const initialised = { ...current, initializedAt: world.now };
  world.truth.request(pod.uid, world.now, requestsOf(pod.template).running);
  world.store.put(initialised);
  world.after(world.random.integer(1, 5), () => startNow(world, initialised, 0));
}

function startNow(world: ClusterWorld, pod: PodRecord, initSeconds: Seconds): void {
  const current = world.pod(pod);
  if (current === undefined || isEnding(current)) return;
  const initializedAt = current.initializedAt ?? Math.min(world.now, (current.scheduledAt ?? world.now) + initSeconds);
  start(world, { ...current, initializedAt }, world.now);
}

function start(world: ClusterWorld, pod: PodRecord, at: Seconds): PodRecord {
  const running = { ...pod, phase: "Running" as const, startedAt: at };
  world.truth.run(pod.uid, at);
  world.store.put(running);
  ownerOf(world, pod)?.podStarted(running);
  return running;
}

function stop(world: ClusterWorld, pod: PodRecord): void {
  const current = world.pod(pod);
  if (current === undefined || current.finishedAt !== null) return;
  if (current.unreachableSince !== null) {
    // Nobody on the node hears of it: it is terminating until the node is back.
    world.after(RETRY_SECONDS, () => stop(world, pod));
    return;
  }
  freeNode(world, current);
  world.store.put({ ...current, phase: "Succeeded", finishedAt: world.now });
  world.after(1, () => removePod(world, current));
}

function removePod(world: ClusterWorld, pod: PodRecord): void {
  if (world.pod(pod) === undefined) return;
  world.store.remove("pods", pod.namespace, pod.name);
  ownerOf(world, pod)?.podGone(pod);
}

/** The pod holds its node no longer from now on. */
function freeNode(world: ClusterWorld, pod: PodRecord): void {
  if (pod.node === null) return;
  world.packing.release(pod.node, reservedFor(pod));
  world.truth.end(pod.uid, world.now);
}

function findNode(world: ClusterWorld, pod: PodRecord, pinned: string | undefined): string | undefined {
  const request = reservedFor(pod);
  if (pinned === undefined) return world.packing.findNode(pod.template.pool, request) ?? undefined;
  return world.packing.fits(pinned, request) ? pinned : undefined;
}

/** What the scheduler keeps free for a pod all its life. */
function reservedFor(pod: PodRecord): Request {
  return requestsOf(pod.template, pod.resized ?? undefined).starting;
}

function ownerOf(world: ClusterWorld, pod: PodRecord): PodOwner | undefined {
  return world.owners.get(pod.owner.uid);
}

function isEnding(pod: PodRecord): boolean {
  return pod.deletionAt !== null || pod.finishedAt !== null || pod.phase === "Failed";
}
