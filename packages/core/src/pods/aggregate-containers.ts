import type { QuantityNanos, ResourceNanos } from "@plimsoll/contracts";
import { addResources, maxResources, sumResources } from "../quantity/resource-nanos.ts";
import type { ContainerResources } from "./container-resources.ts";

/** R: what runs for the pod's whole life, Σ containers + Σ sidecars. */
export function runningResources(containers: readonly ContainerResources[]): ResourceNanos {
  return sumResources(containers.filter((c) => c.kind !== "init").map((c) => c.resources));
}

/**
 * I: the largest need at any step of the start: an init container plus the sidecars declared before it; a sidecar
 * itself: the running sum including it.
 */
function startingResources(containers: readonly ContainerResources[]): ResourceNanos {
  const sidecars = new Map<string, QuantityNanos>();
  let largest: ResourceNanos = new Map();
  for (const { kind, resources } of containers) {
    if (kind === "container") continue;
    if (kind === "sidecar") addResources(sidecars, resources);
    largest = maxResources(largest, kind === "sidecar" ? sidecars : sumResources([resources, sidecars]));
  }
  return largest;
}

/** max(R, I) per resource: what the scheduler reserves for the containers. */
export function reservedResources(containers: readonly ContainerResources[]): ResourceNanos {
  return maxResources(runningResources(containers), startingResources(containers));
}
