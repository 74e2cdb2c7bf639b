import type { KubeContainer, KubeContainerStatus, KubePod, ResourceNanos } from "@plimsoll/contracts";
import { maxResources, NO_RESOURCES, parseResources } from "../quantity/resource-nanos.ts";

/** Which column of a pod's resources is computed. */
export type ResourceColumn = "requests" | "limits";

/** One container with what it holds in one column, in-place resize considered. */
export interface ContainerResources {
  readonly container: KubeContainer;
  readonly kind: "container" | "sidecar" | "init";
  readonly resources: ResourceNanos;
}

/**
 * Every container with its effective resources, init containers after the others, each in declared order.
 * Source: upstream `AggregateContainerRequests` and `AggregateContainerLimits` with UseStatusResources.
 */
export function containerResources(pod: KubePod, column: ResourceColumn): readonly ContainerResources[] {
  const statuses = statusesByName(pod);
  const effective = (container: KubeContainer, list: "containers" | "initContainers"): ResourceNanos =>
    effectiveResources(pod, column, {
      spec: container.resources?.[column],
      specField: `spec.${list}[${container.name}]`,
      status: statuses.get(container.name),
      statusField: `status.${STATUS_LISTS[list]}[${container.name}]`,
    });
  const regular = (pod.spec.containers ?? []).map((container): ContainerResources => {
    return { container, kind: "container", resources: effective(container, "containers") };
  });
  const init = (pod.spec.initContainers ?? []).map((container): ContainerResources => {
    if (isSidecar(container)) return { container, kind: "sidecar", resources: effective(container, "initContainers") };
    const field = `${podField(pod)} spec.initContainers[${container.name}].resources.${column}`;
    return { container, kind: "init", resources: parseResources(container.resources?.[column], field) };
  });
  return [...regular, ...init];
}

const STATUS_LISTS = { containers: "containerStatuses", initContainers: "initContainerStatuses" } as const;

interface ResizeState {
  readonly spec: NonNullable<KubeContainer["resources"]>[ResourceColumn];
  readonly status: Pick<KubeContainerStatus, "resources" | "allocatedResources"> | undefined;
  /** Paths of what holds `resources`, for errors: "spec.containers[web]". */
  readonly specField: string;
  readonly statusField: string;
}

/**
 * Resources during an in-place resize: the largest of what is asked (spec), allocated and in force; without what is asked
 * when the kubelet called the resize infeasible. Status counts only where `status.resources` is set. Limits know no
 * allocation. Used for containers and, the same, for pod-level resources.
 */
export function effectiveResources(pod: KubePod, column: ResourceColumn, state: ResizeState): ResourceNanos {
  const { status } = state;
  const spec = (): ResourceNanos =>
    parseResources(state.spec, `${podField(pod)} ${state.specField}.resources.${column}`);
  if (!status?.resources) return spec();
  const field = `${podField(pod)} ${state.statusField}`;
  const inForce = parseResources(status.resources[column], `${field}.resources.${column}`);
  const allocated =
    column === "requests" ? parseResources(status.allocatedResources, `${field}.allocatedResources`) : NO_RESOURCES;
  return isResizeInfeasible(pod) ? maxResources(inForce, allocated) : maxResources(spec(), inForce, allocated);
}

/** "Pod/namespace/name", the start of every field path of a pod. */
export function podField(pod: KubePod): string {
  return `Pod/${pod.metadata.namespace ?? "default"}/${pod.metadata.name}`;
}

function isSidecar(container: KubeContainer): boolean {
  return container.restartPolicy === "Always";
}

/** Upstream looks at the first such condition and at its reason only, not at its status. */
function isResizeInfeasible(pod: KubePod): boolean {
  return pod.status?.conditions?.find((c) => c.type === "PodResizePending")?.reason === "Infeasible";
}

function statusesByName(pod: KubePod): ReadonlyMap<string, KubeContainerStatus> {
  const all = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
  return new Map(all.map((status) => [status.name, status]));
}
