import type { Labels } from "../records/pod-template.ts";
import type { ObjectRecord, OwnerRecord } from "../records/records.ts";
import { type Seconds, timestamp } from "../time/seconds.ts";
import type { KubeJson } from "./kube-json.ts";

/** What only some kinds have of metadata. */
export interface MoreMetadata {
  readonly labels?: Labels;
  readonly annotations?: Labels;
  readonly owner?: OwnerRecord | null;
  readonly generateName?: string;
  readonly generation?: number;
  readonly deletionAt?: Seconds | null;
}

/** Metadata of an object whose last write was `revision`. */
export function presentMetadata(record: ObjectRecord, revision: number, more: MoreMetadata): KubeJson {
  const deletionAt = more.deletionAt ?? null;
  return {
    name: record.name,
    generateName: more.generateName,
    namespace: record.namespace === "" ? undefined : record.namespace,
    uid: record.uid,
    resourceVersion: String(revision),
    generation: more.generation,
    creationTimestamp: timestamp(record.createdAt),
    ...(deletionAt === null ? {} : { deletionTimestamp: timestamp(deletionAt), deletionGracePeriodSeconds: 30 }),
    labels: isEmpty(more.labels) ? undefined : more.labels,
    annotations: isEmpty(more.annotations) ? undefined : more.annotations,
    ownerReferences: more.owner ? [presentOwner(more.owner)] : undefined,
    managedFields: [managedFields(record)],
  };
}

/** An owner reference as controllers write it; a node owns its static pods without blocking their deletion. */
function presentOwner(owner: OwnerRecord): KubeJson {
  const blocks = owner.kind === "Node" ? {} : { blockOwnerDeletion: true };
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.name,
    uid: owner.uid,
    controller: true,
    ...blocks,
  };
}

/** Real objects carry these; whoever keeps objects throws them away first. */
function managedFields(record: ObjectRecord): KubeJson {
  return {
    manager: "kube-controller-manager",
    operation: "Update",
    apiVersion: "v1",
    time: timestamp(record.createdAt),
    fieldsType: "FieldsV1",
    fieldsV1: { "f:metadata": { "f:labels": { ".": {} } }, "f:spec": {}, "f:status": { "f:phase": {} } },
  };
}

function isEmpty(map: Labels | undefined): boolean {
  return map === undefined || Object.keys(map).length === 0;
}
