import type { NewObject, Quantities, StringMap } from "./object-types.ts";

/** A namespace with labels. */
export function namespace(name: string, labels: StringMap = {}): NewObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } };
}

/** A RuntimeClass whose pods get this overhead. */
export function runtimeClass(name: string, overhead: Quantities): NewObject {
  const metadata = { name };
  return {
    apiVersion: "node.k8s.io/v1",
    kind: "RuntimeClass",
    metadata,
    handler: name,
    overhead: { podFixed: overhead },
  };
}

/** A resource quota. Its admission refuses pods that leave out what it limits. */
export function resourceQuota(namespace: string, name: string, hard: Quantities): NewObject {
  return { apiVersion: "v1", kind: "ResourceQuota", metadata: { namespace, name }, spec: { hard } };
}

/** A PriorityClass. */
export function priorityClass(name: string, value: number): NewObject {
  return { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name }, value };
}

/** A StorageClass of a CSI driver that does not exist: only volumes made with `persistentVolume` are bound. */
export function storageClass(name: string, driver: string): NewObject {
  return { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: { name }, provisioner: driver };
}

/** A volume claim and its volume. */
export interface VolumeOptions {
  readonly namespace: string;
  /** Of the claim; a StatefulSet's are named data-NAME-N. */
  readonly claim: string;
  readonly storage: string;
  /** Default "standard". */
  readonly storageClass?: string;
  /** CSI driver; default csi.testbed.plimsoll.dev. */
  readonly driver?: string;
}

/** A volume reserved for the claim, so that the claim is bound as soon as it exists. */
export function persistentVolume(options: VolumeOptions): NewObject {
  const name = `pv-${options.namespace}-${options.claim}`;
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name },
    spec: {
      capacity: { storage: options.storage },
      accessModes: ["ReadWriteOnce"],
      storageClassName: options.storageClass ?? "standard",
      persistentVolumeReclaimPolicy: "Retain",
      claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace: options.namespace, name: options.claim },
      csi: { driver: options.driver ?? "csi.testbed.plimsoll.dev", volumeHandle: name },
    },
  };
}

/** The claim alone: stays Pending without a volume. */
export function persistentVolumeClaim(options: VolumeOptions): NewObject {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { namespace: options.namespace, name: options.claim },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: options.storageClass ?? "standard",
      resources: { requests: { storage: options.storage } },
    },
  };
}

/** A Service; `type` LoadBalancer stays without an address (there is no cloud). */
export function service(
  namespace: string,
  name: string,
  options: { readonly type?: "ClusterIP" | "NodePort" | "LoadBalancer"; readonly app?: string } = {},
): NewObject {
  const spec = { type: options.type ?? "ClusterIP", selector: { app: options.app ?? name }, ports: [{ port: 80 }] };
  return { apiVersion: "v1", kind: "Service", metadata: { namespace, name }, spec };
}

/** A namespaced custom resource definition without a schema, version v1alpha1. */
export function customResource(group: string, kind: string): NewObject {
  const plural = `${kind.toLowerCase()}s`;
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, singular: kind.toLowerCase(), kind },
      versions: [{ name: "v1alpha1", served: true, storage: true, schema }],
    },
  };
}
