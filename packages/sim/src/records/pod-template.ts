import { type Amounts, add, larger, NO_REQUEST, type Request } from "./amounts.ts";

export type Labels = Readonly<Record<string, string>>;

export interface ContainerTemplate {
  readonly name: string;
  readonly image: string;
  readonly requests: Amounts;
  readonly limits: Amounts;
}

export interface InitContainerTemplate extends ContainerTemplate {
  /** restartPolicy Always: starts before the containers and runs as long as the pod. */
  readonly sidecar: boolean;
}

/** Which nodes a pod may run on. */
export type PoolClass = "control-plane" | "general" | "memory" | "spot" | "gpu" | "virtual" | "every-node";

/** How much a pod uses while it runs, before the load curve and noise. */
export interface UsageProfile {
  readonly cpuNanocores: number;
  readonly memoryKib: number;
  /** daily: follows the region's day; steady: does not; batch: full from start to end. */
  readonly shape: "daily" | "steady" | "batch";
}

/** What all pods of one workload revision have in common; shared between their records. */
export interface PodTemplate {
  readonly labels: Labels;
  readonly annotations?: Labels;
  readonly containers: readonly ContainerTemplate[];
  readonly initContainers: readonly InitContainerTemplate[];
  readonly overhead?: Amounts;
  readonly runtimeClass?: string;
  readonly priorityClass?: string;
  readonly pool: PoolClass;
  readonly usage: UsageProfile;
  /** Static pod of a control plane node, shown by a mirror pod. */
  readonly mirror?: boolean;
  readonly serviceAccount: string;
  /** Jobs: containers that end are not started again. */
  readonly runsOnce?: boolean;
}

/**
 * What the scheduler reserves for a pod, written down here a second time on purpose: tests compare the product's own
 * calculation with the truth. `starting`: until its ordinary init containers have ended; `running`: afterwards. `first`
 * replaces the requests of the first container (an in-place resize).
 */
export function requestsOf(template: PodTemplate, first?: Amounts): { starting: Request; running: Request } {
  const overhead = template.overhead ?? {};
  let sidecars: Request = NO_REQUEST;
  let starting: Request = NO_REQUEST;
  for (const init of template.initContainers) {
    if (init.sidecar) sidecars = add(sidecars, init.requests);
    starting = larger(starting, init.sidecar ? sidecars : add(sidecars, init.requests));
  }
  const running = template.containers.reduce(
    (sum, container, index) => add(sum, index === 0 && first !== undefined ? first : container.requests),
    sidecars,
  );
  return { starting: add(larger(starting, running), overhead), running: add(running, overhead) };
}

/** Has it an init container that ends before the others start? */
export function hasOrdinaryInit(template: PodTemplate): boolean {
  return template.initContainers.some((container) => !container.sidecar);
}
