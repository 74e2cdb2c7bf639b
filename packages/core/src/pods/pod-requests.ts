import type { KubePod, QuantityNanos, ResourceNanos } from "@plimsoll/contracts";
import { addResources, parseResources } from "../quantity/resource-nanos.ts";
import { reservedResources, runningResources } from "./aggregate-containers.ts";
import { type ContainerResources, containerResources, podField } from "./container-resources.ts";
import { podLevelResources } from "./pod-level-resources.ts";
import { isInitialized } from "./pod-phase.ts";

/**
 * What the pod requests, nano-units by resource: the number that the scheduler reserves on the node. Sidecars, init
 * containers, pod-level requests, overhead and in-place resize are in it. Throws `quantity_invalid`.
 * Source: upstream component-helpers `PodRequests` with UseStatusResources and pod-level resize.
 */
export function podRequests(pod: KubePod): ResourceNanos {
  return requestsOf(pod, reservedResources(containerResources(pod, "requests")));
}

/**
 * What the pod is charged for now: as `podRequests` until the condition Initialized is True; from then on ordinary init
 * containers hold nothing. Throws `quantity_invalid`.
 */
export function podChargedRequests(pod: KubePod): ResourceNanos {
  const containers: readonly ContainerResources[] = containerResources(pod, "requests");
  return requestsOf(pod, isInitialized(pod) ? runningResources(containers) : reservedResources(containers));
}

function requestsOf(pod: KubePod, ofContainers: ResourceNanos): ResourceNanos {
  const total = new Map<string, QuantityNanos>(ofContainers);
  for (const [name, nanos] of podLevelResources(pod, "requests")) total.set(name, nanos);
  addResources(total, parseResources(pod.spec.overhead, `${podField(pod)} spec.overhead`));
  return total;
}
