export {
  customResource,
  namespace,
  persistentVolume,
  persistentVolumeClaim,
  priorityClass,
  resourceQuota,
  runtimeClass,
  service,
  storageClass,
  type VolumeOptions,
} from "./objects/cluster-objects.ts";
export { createObjects, ownedBy } from "./objects/create-objects.ts";
export { type LoadOptions, loadPods } from "./objects/load-pods.ts";
export { type NodeOptions, node, type Taint } from "./objects/nodes.ts";
export type { NewObject, OwnerReference, Quantities } from "./objects/object-types.ts";
export { type ContainerOptions, type PodOptions, pod, type Toleration } from "./objects/pods.ts";
export type { NodePlace } from "./objects/providers.ts";
export { type SettleOptions, waitUntilSettled } from "./objects/settled.ts";
export { cronJob, daemonSet, deployment, job, statefulSet, type WorkloadOptions } from "./objects/workloads.ts";
