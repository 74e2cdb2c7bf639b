import type { KubeObjects, KubeResource } from "@plimsoll/contracts";
import { FieldReader } from "./field-reader.ts";
import { projectNamespace, projectNode } from "./project-node.ts";
import { projectPod } from "./project-pod.ts";
import { projectQuota, projectService, projectVolume, projectVolumeClaim } from "./project-storage.ts";
import { projectWorkload } from "./project-workload.ts";
import { createSharing } from "./sharing.ts";

/**
 * One slim projection per resource: takes a raw object, keeps exactly the fields of `KubeObjects`, checks their shape.
 * `where` names the object in an error (file and index, or URL). Throws object_unusable naming the field.
 */
export type Projectors = { readonly [R in KubeResource]: (raw: unknown, where: string) => KubeObjects[R] };

/** Projections that share one pool: make one set per cluster or dump, so that what is held together is shared. */
export function createProjectors(): Projectors {
  const share = createSharing();
  const workload = (kind: string) => (raw: unknown, where: string) =>
    projectWorkload(new FieldReader(raw, where), kind, share);
  return {
    nodes: (raw, where) => projectNode(new FieldReader(raw, where), share),
    namespaces: (raw, where) => projectNamespace(new FieldReader(raw, where), share),
    pods: (raw, where) => projectPod(new FieldReader(raw, where), share),
    persistentvolumeclaims: (raw, where) => projectVolumeClaim(new FieldReader(raw, where), share),
    persistentvolumes: (raw, where) => projectVolume(new FieldReader(raw, where), share),
    services: (raw, where) => projectService(new FieldReader(raw, where), share),
    resourcequotas: (raw, where) => projectQuota(new FieldReader(raw, where), share),
    deployments: workload("Deployment"),
    replicasets: workload("ReplicaSet"),
    statefulsets: workload("StatefulSet"),
    daemonsets: workload("DaemonSet"),
    jobs: workload("Job"),
    cronjobs: workload("CronJob"),
  };
}
