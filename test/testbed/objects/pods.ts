import {
  type NewObject,
  type OwnerReference,
  PHASE_ANNOTATION,
  type Quantities,
  type StringMap,
  USAGE_CPU_ANNOTATION,
  USAGE_MEMORY_ANNOTATION,
} from "./object-types.ts";

/** One container. Defaults: name "main" (or "c1", "c2" … when there are several), image registry.example/app:1.0. */
export interface ContainerOptions {
  readonly name?: string;
  readonly image?: string;
  readonly requests?: Quantities;
  readonly limits?: Quantities;
}

/** A toleration; without key it tolerates everything. */
export interface Toleration {
  readonly key?: string;
  readonly operator?: "Exists" | "Equal";
  readonly value?: string;
  readonly effect?: string;
}

/** What a pod, or a workload's pod template, is made of. */
export interface PodOptions {
  /** Default: one container without requests. */
  readonly containers?: readonly ContainerOptions[];
  /** Ordinary init containers and sidecars (`sidecar: true`), in the order in which they start. */
  readonly initContainers?: readonly (ContainerOptions & { readonly sidecar?: boolean })[];
  /** Pod-level resources. */
  readonly resources?: { readonly requests?: Quantities; readonly limits?: Quantities };
  /** Its overhead is added by the API server. */
  readonly runtimeClassName?: string;
  /** What each container uses by kwok's metrics; default 1m and 1Mi. */
  readonly usage?: { readonly cpu: string; readonly memory: string };
  /** Where kwok leaves the pod; default Running. Pending: on its node, but never started. */
  readonly phase?: "Running" | "Pending" | "Succeeded" | "Failed";
  /** Binds the pod without the scheduler. */
  readonly nodeName?: string;
  readonly nodeSelector?: StringMap;
  /** `"all"`: goes anywhere and is never evicted. */
  readonly tolerations?: readonly Toleration[] | "all";
  readonly labels?: StringMap;
  /** Claims that the pod mounts. */
  readonly claims?: readonly string[];
  readonly priorityClassName?: string;
}

/** A pod of its own, or of the owner given (a Node for static pods, a custom resource …). */
export function pod(namespace: string, name: string, options: PodOptions & { owner?: OwnerReference } = {}): NewObject {
  const { metadata, spec } = podTemplate(options);
  const ownerReferences = options.owner === undefined ? {} : { ownerReferences: [options.owner] };
  return { apiVersion: "v1", kind: "Pod", metadata: { name, namespace, ...metadata, ...ownerReferences }, spec };
}

/** Metadata and spec of a pod template. */
export function podTemplate(options: PodOptions): {
  readonly metadata: { readonly labels: StringMap; readonly annotations: StringMap };
  readonly spec: Readonly<Record<string, unknown>>;
} {
  const containers = options.containers ?? [{}];
  const claims = options.claims ?? [];
  const spec = {
    containers: containers.map((each, index) => ({
      ...container(each, containers.length === 1 ? "main" : `c${index + 1}`),
      ...(claims.length > 0 ? { volumeMounts: claims.map((name) => ({ name, mountPath: `/data/${name}` })) } : {}),
    })),
    initContainers: options.initContainers?.map((each, index) => ({
      ...container(each, `init${index + 1}`),
      ...(each.sidecar ? { restartPolicy: "Always" } : {}),
    })),
    resources: options.resources,
    runtimeClassName: options.runtimeClassName,
    nodeName: options.nodeName,
    nodeSelector: options.nodeSelector,
    priorityClassName: options.priorityClassName,
    tolerations: options.tolerations === "all" ? [{ operator: "Exists" }] : options.tolerations,
    volumes: claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
  };
  return { metadata: { labels: options.labels ?? {}, annotations: annotationsOf(options) }, spec };
}

function container(options: ContainerOptions, defaultName: string) {
  return {
    name: options.name ?? defaultName,
    image: options.image ?? "registry.example/app:1.0",
    resources: { requests: options.requests, limits: options.limits },
  };
}

function annotationsOf({ usage, phase }: PodOptions): StringMap {
  return {
    ...(usage ? { [USAGE_CPU_ANNOTATION]: usage.cpu, [USAGE_MEMORY_ANNOTATION]: usage.memory } : {}),
    ...(phase === undefined || phase === "Running" ? {} : { [PHASE_ANNOTATION]: phase }),
  };
}
