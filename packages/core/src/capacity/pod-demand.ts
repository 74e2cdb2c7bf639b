import type { KubePod, ResourceNanos } from "@plimsoll/contracts";
import { refuseNegative } from "../nodes/refuse-negative.ts";
import { podField } from "../pods/container-resources.ts";
import { podLimits } from "../pods/pod-limits.ts";
import { isCountedPod, isPendingPod } from "../pods/pod-phase.ts";
import { podChargedRequests, podRequests } from "../pods/pod-requests.ts";
import type { Owners } from "./owners.ts";
import { resolveWorkload, type Workload } from "./resolve-workload.ts";

/** What one pod holds, or waits for. Quantities in nano-units by resource, without the pod slot that each takes. */
export interface PodDemand {
  readonly pod: KubePod;
  readonly namespace: string;
  readonly name: string;
  /** The node that it is bound to; null while it waits for one. */
  readonly nodeName: string | null;
  /** The scheduler's number. */
  readonly requests: ResourceNanos;
  /** What it is charged for at least: init containers that are done hold nothing any more. */
  readonly chargedRequests: ResourceNanos;
  readonly limits: ResourceNanos;
  /** Resources whose limit is no upper bound. */
  readonly partialLimits: ReadonlySet<string>;
  readonly workload: Workload;
}

/**
 * Reads one pod; undefined when it neither holds nor waits for anything (Succeeded, Failed, not yet phased). Throws
 * `quantity_invalid` or `quantity_negative` naming the field.
 */
export function readPodDemand(pod: KubePod, owners: Owners): PodDemand | undefined {
  const counted = isCountedPod(pod);
  if (!counted && !isPendingPod(pod)) return undefined;
  const requests = podRequests(pod);
  const { limits, partial } = podLimits(pod);
  refuseNegative(requests, `${podField(pod)} requests`);
  refuseNegative(limits, `${podField(pod)} limits`);
  return {
    pod,
    namespace: pod.metadata.namespace ?? "default",
    name: pod.metadata.name,
    nodeName: counted ? (pod.spec.nodeName ?? null) : null,
    requests,
    chargedRequests: hasOrdinaryInit(pod) ? podChargedRequests(pod) : requests,
    limits,
    partialLimits: partial,
    workload: resolveWorkload(pod, owners),
  };
}

/** Only ordinary init containers make what is charged differ from what is requested. */
export function hasOrdinaryInit(pod: KubePod): boolean {
  return pod.spec.initContainers?.some((container) => container.restartPolicy !== "Always") ?? false;
}
