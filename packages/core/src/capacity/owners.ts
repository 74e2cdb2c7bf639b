import type { ClusterFacts, KubeResource, KubeWorkload, ObjectMeta, OwnerReference } from "@plimsoll/contracts";

/** The workload objects that were read, found by an owner reference or by name. */
export interface Owners {
  /** The object that an owner reference of an object in `namespace` names; undefined when it was not read. */
  readonly find: (owner: OwnerReference, namespace: string) => KubeWorkload | undefined;
}

const WORKLOAD_RESOURCES = [
  "deployments",
  "replicasets",
  "statefulsets",
  "daemonsets",
  "jobs",
  "cronjobs",
] as const satisfies readonly KubeResource[];

/** Indexes every workload object that was read; an unknown reading just leaves its kind out. */
export function indexOwners(objects: Pick<ClusterFacts["objects"], (typeof WORKLOAD_RESOURCES)[number]>): Owners {
  const byUid = new Map<string, KubeWorkload>();
  const byName = new Map<string, KubeWorkload>();
  for (const resource of WORKLOAD_RESOURCES) {
    const reading = objects[resource];
    for (const workload of reading.known ? reading.value : []) {
      byUid.set(workload.metadata.uid, workload);
      byName.set(nameKey(workload.kind, workload.metadata.namespace ?? "", workload.metadata.name), workload);
    }
  }
  return {
    // A UID that is not among ours belongs to another object, even one of the same kind and name (Volcano's Job).
    find: (owner, namespace) =>
      owner.uid === undefined ? byName.get(nameKey(owner.kind, namespace, owner.name)) : byUid.get(owner.uid),
  };
}

/** The owner that controls an object; objects of old controllers name one without saying that it controls. */
export function controllerOf(metadata: ObjectMeta | undefined): OwnerReference | undefined {
  const owners = metadata?.ownerReferences;
  return owners?.find((owner) => owner.controller === true) ?? owners?.[0];
}

function nameKey(kind: string, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`;
}
