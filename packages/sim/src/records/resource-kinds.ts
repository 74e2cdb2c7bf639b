import type { KubeResource } from "@plimsoll/contracts";

/** How the API serves a resource. */
export interface ResourceKind {
  /** Plural name in paths. */
  readonly resource: KubeResource;
  readonly kind: string;
  /** "" is the core group. */
  readonly group: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
}

/** Every resource that a simulated cluster serves; all are of version v1 of their group. */
export const RESOURCE_KINDS: readonly ResourceKind[] = [
  { resource: "namespaces", kind: "Namespace", group: "", namespaced: false, shortNames: ["ns"] },
  { resource: "nodes", kind: "Node", group: "", namespaced: false, shortNames: ["no"] },
  { resource: "persistentvolumes", kind: "PersistentVolume", group: "", namespaced: false, shortNames: ["pv"] },
  {
    resource: "persistentvolumeclaims",
    kind: "PersistentVolumeClaim",
    group: "",
    namespaced: true,
    shortNames: ["pvc"],
  },
  { resource: "pods", kind: "Pod", group: "", namespaced: true, shortNames: ["po"] },
  { resource: "resourcequotas", kind: "ResourceQuota", group: "", namespaced: true, shortNames: ["quota"] },
  { resource: "services", kind: "Service", group: "", namespaced: true, shortNames: ["svc"] },
  { resource: "daemonsets", kind: "DaemonSet", group: "apps", namespaced: true, shortNames: ["ds"] },
  { resource: "deployments", kind: "Deployment", group: "apps", namespaced: true, shortNames: ["deploy"] },
  { resource: "replicasets", kind: "ReplicaSet", group: "apps", namespaced: true, shortNames: ["rs"] },
  { resource: "statefulsets", kind: "StatefulSet", group: "apps", namespaced: true, shortNames: ["sts"] },
  { resource: "cronjobs", kind: "CronJob", group: "batch", namespaced: true, shortNames: ["cj"] },
  { resource: "jobs", kind: "Job", group: "batch", namespaced: true, shortNames: [] },
];

/** `apiVersion` of the objects of a resource. */
export function apiVersionOf(kind: ResourceKind): string {
  return kind.group === "" ? "v1" : `${kind.group}/v1`;
}
