import type { QuantityNanos, ResourceNanos } from "@plimsoll/contracts";
import type { PodDemand } from "../capacity/pod-demand.ts";
import { podUsageKey, type UsageFigures } from "../capacity/usage-figures.ts";

/** A pod with what it was seen to use; undefined = nobody knows. */
export interface ChargedPod {
  readonly pod: PodDemand;
  readonly used: ResourceNanos | undefined;
}

/** Joins a pod and its usage. */
export function chargedPod(pod: PodDemand, usage: UsageFigures | null): ChargedPod {
  return { pod, used: usage?.pods.get(podUsageKey(pod.namespace, pod.name)) };
}

/** Charged = max(request, usage) of one resource, nano-units; the request alone where no usage is known. */
export function chargedOf({ pod, used }: ChargedPod, resource: string): QuantityNanos {
  const request = pod.chargedRequests.get(resource) ?? 0n;
  const usage = used?.get(resource) ?? 0n;
  return usage > request ? usage : request;
}
