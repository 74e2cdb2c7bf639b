import { NANOS, type QuantityNanos, type ResourceNanos } from "@plimsoll/contracts";
import { addResources } from "../quantity/resource-nanos.ts";
import type { PodDemand } from "./pod-demand.ts";

/** Pods by the node that they are bound to; waiting pods are in none. */
export function podsByNode(pods: readonly PodDemand[]): ReadonlyMap<string, readonly PodDemand[]> {
  const byNode = new Map<string, PodDemand[]>();
  for (const pod of pods) {
    if (pod.nodeName === null) continue;
    const held = byNode.get(pod.nodeName);
    if (held) held.push(pod);
    else byNode.set(pod.nodeName, [pod]);
  }
  return byNode;
}

/**
 * What is requested on each node, nano-units by resource: the "Allocated resources" of `kubectl describe node`, and `pods`
 * = the number of its non-terminated pods. Nodes without pods are not in it.
 */
export function requestedByNode(pods: readonly PodDemand[]): ReadonlyMap<string, ResourceNanos> {
  return new Map([...podsByNode(pods)].map(([node, held]) => [node, requestedOf(held)]));
}

/** What pods request together, and as `pods` how many they are: each takes one slot. */
export function requestedOf(pods: readonly PodDemand[]): ResourceNanos {
  return withSlots(pods, (pod) => pod.requests);
}

/** What pods may use together, and as `pods` how many they are. */
export function limitsOf(pods: readonly PodDemand[]): ResourceNanos {
  return withSlots(pods, (pod) => pod.limits);
}

function withSlots(pods: readonly PodDemand[], figure: (pod: PodDemand) => ResourceNanos): ResourceNanos {
  const total = new Map(sumOf(pods, figure));
  return pods.length === 0 ? total : total.set("pods", BigInt(pods.length) * NANOS);
}

/** Per resource the sum of one figure over pods or nodes. */
export function sumOf<T>(items: Iterable<T>, figure: (item: T) => ResourceNanos): ResourceNanos {
  const total = new Map<string, QuantityNanos>();
  for (const item of items) addResources(total, figure(item));
  return total;
}
