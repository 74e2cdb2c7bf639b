import type { QuantityNanos, ResourceNanos } from "@plimsoll/contracts";
import type { PodDemand } from "../capacity/pod-demand.ts";
import { podUsageKey, type UsageFigures } from "../capacity/usage-figures.ts";
import { maxResources } from "../quantity/resource-nanos.ts";

/** A pod and what it is charged for, nano-units by resource. */
export interface ChargedPod {
  readonly pod: PodDemand;
  readonly amounts: ResourceNanos;
}

/** Charged = max(request, usage) per resource; the request alone where no usage of the pod is known. */
export function chargedAmounts(pod: PodDemand, usage: UsageFigures | null): ResourceNanos {
  const used = usage?.pods.get(podUsageKey(pod.namespace, pod.name));
  return used === undefined ? pod.chargedRequests : maxResources(pod.chargedRequests, used);
}

/** What a pod is charged for of one resource. */
export function chargedOf(charged: ChargedPod, resource: string): QuantityNanos {
  return charged.amounts.get(resource) ?? 0n;
}
