import type { KubePod, QuantityNanos, ResourceNanos } from "@plimsoll/contracts";
import { parseResources } from "../quantity/resource-nanos.ts";
import { reservedResources } from "./aggregate-containers.ts";
import { type ContainerResources, containerResources, podField } from "./container-resources.ts";
import { podLevelResources } from "./pod-level-resources.ts";
import { isInitialized } from "./pod-phase.ts";

/** Limits of a pod and the resources whose limit is no upper bound. */
export interface PodLimits {
  /** Nano-units by resource, overhead added where the limit is not zero. */
  readonly limits: ResourceNanos;
  /** Resources that at least one container may use without a limit. */
  readonly partial: ReadonlySet<string>;
}

/** Resources that a container without a limit may use at will. Of any other it gets only what it names. */
const UNBOUNDED_BY_DEFAULT = ["cpu", "memory", "ephemeral-storage"];

/**
 * What the pod may use at most. Same formula as `podRequests`, over limits. Throws `quantity_invalid`.
 * Source: upstream component-helpers `PodLimits` with UseStatusResources and pod-level resize.
 */
export function podLimits(pod: KubePod): PodLimits {
  const containers = containerResources(pod, "limits");
  const level = podLevelResources(pod, "limits");
  const limits = new Map<string, QuantityNanos>([...reservedResources(containers), ...level]);
  for (const [name, nanos] of parseResources(pod.spec.overhead, `${podField(pod)} spec.overhead`)) {
    const limit = limits.get(name) ?? 0n;
    if (limit !== 0n) limits.set(name, limit + nanos);
  }
  return { limits, partial: partialLimits(pod, containers, level) };
}

/** A limit of 0 counts as none: the runtime sets no bound then. Init containers that are done count no more. */
function partialLimits(
  pod: KubePod,
  containers: readonly ContainerResources[],
  level: ResourceNanos,
): ReadonlySet<string> {
  const initialized = isInitialized(pod);
  const live = containers.filter((c) => c.kind !== "init" || !initialized);
  const unbounded = (name: string): boolean => live.some((c) => (c.resources.get(name) ?? 0n) === 0n);
  return new Set(UNBOUNDED_BY_DEFAULT.filter((name) => (level.get(name) ?? 0n) === 0n && unbounded(name)));
}
