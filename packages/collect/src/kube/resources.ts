import type { KubeResource } from "@plimsoll/contracts";

/** Where the API serves a resource, and the kind of its objects. */
export interface ResourcePath {
  /** Path of the list over all namespaces. */
  readonly path: string;
  readonly kind: string;
  readonly apiVersion: string;
}

/** Every resource of `KubeResource` with its path. Items of a list carry no kind: it is known from here. */
export const RESOURCE_PATHS: Readonly<Record<KubeResource, ResourcePath>> = {
  nodes: core("nodes", "Node"),
  namespaces: core("namespaces", "Namespace"),
  pods: core("pods", "Pod"),
  persistentvolumeclaims: core("persistentvolumeclaims", "PersistentVolumeClaim"),
  persistentvolumes: core("persistentvolumes", "PersistentVolume"),
  services: core("services", "Service"),
  resourcequotas: core("resourcequotas", "ResourceQuota"),
  deployments: group("apps", "deployments", "Deployment"),
  replicasets: group("apps", "replicasets", "ReplicaSet"),
  statefulsets: group("apps", "statefulsets", "StatefulSet"),
  daemonsets: group("apps", "daemonsets", "DaemonSet"),
  jobs: group("batch", "jobs", "Job"),
  cronjobs: group("batch", "cronjobs", "CronJob"),
};

/** Is this the name of a resource that is read? */
export function isKubeResource(text: string): text is KubeResource {
  return Object.hasOwn(RESOURCE_PATHS, text);
}

/** The resources in the order a collection reads them: what the most figures need comes first. */
export const KUBE_RESOURCES: readonly KubeResource[] = [
  "nodes",
  "pods",
  "namespaces",
  "replicasets",
  "deployments",
  "statefulsets",
  "daemonsets",
  "jobs",
  "cronjobs",
  "services",
  "persistentvolumeclaims",
  "persistentvolumes",
  "resourcequotas",
];

function core(resource: string, kind: string): ResourcePath {
  return { path: `/api/v1/${resource}`, kind, apiVersion: "v1" };
}

function group(name: string, resource: string, kind: string): ResourcePath {
  return { path: `/apis/${name}/v1/${resource}`, kind, apiVersion: `${name}/v1` };
}
