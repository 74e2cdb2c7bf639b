import type { KubeCondition, ObjectMeta, OwnerReference, ResourceRequirements } from "@plimsoll/contracts";
import type { FieldReader } from "./field-reader.ts";
import { pooled } from "./pool.ts";
import type { Sharing } from "./sharing.ts";

/** Annotations that a rule reads, over all resources; every other one is dropped. */
const KEPT_ANNOTATIONS: ReadonlySet<string> = new Set([
  // Pods on Fargate: what the pod really got ("0.25vCPU 0.5GB"), the node shows its host's size.
  "CapacityProvisioned",
  // Nodes: where the kubelet keeps its usage figures.
  "metrics.k8s.io/resource-metrics-path",
]);

/** The metadata of any object. managedFields and all but the kept annotations are dropped. */
export function projectMetadata(object: FieldReader, share: Sharing): ObjectMeta {
  const metadata = object.object("metadata");
  const owners = metadata.optionalList("ownerReferences")?.map((owner) => projectOwner(owner, share));
  return {
    name: metadata.text("name"),
    namespace: pooled(share.text, metadata.optionalText("namespace")),
    uid: metadata.text("uid"),
    creationTimestamp: pooled(share.text, metadata.optionalText("creationTimestamp")),
    deletionTimestamp: metadata.optionalText("deletionTimestamp"),
    labels: pooled(share.texts, metadata.optionalTextMap("labels")),
    annotations: metadata.optionalTextMap("annotations", KEPT_ANNOTATIONS),
    ownerReferences: pooled(share.owners, owners),
  };
}

function projectOwner(owner: FieldReader, share: Sharing): OwnerReference {
  return {
    apiVersion: pooled(share.text, owner.optionalText("apiVersion")),
    kind: share.text(owner.text("kind")),
    name: owner.text("name"),
    uid: owner.optionalText("uid"),
    controller: owner.optionalFlag("controller"),
  };
}

/** Requests and limits in `field` of a spec; undefined when it names neither. */
export function projectResources(holder: FieldReader, field: string, share: Sharing): ResourceRequirements | undefined {
  const resources = holder.optionalObject(field);
  const requests = pooled(share.texts, resources?.optionalQuantities("requests"));
  const limits = pooled(share.texts, resources?.optionalQuantities("limits"));
  return requests || limits ? share.resources({ requests, limits }) : undefined;
}

/** Requests and limits in force, of a status: an empty object says that there are none, undefined that nobody knows. */
export function projectResourcesInForce(status: FieldReader, share: Sharing): ResourceRequirements | undefined {
  return projectResources(status, "resources", share) ?? (status.optionalObject("resources") && share.resources({}));
}

/** The conditions of a status. */
export function projectConditions(status: FieldReader, share: Sharing): readonly KubeCondition[] | undefined {
  return status.optionalList("conditions")?.map((condition) =>
    share.conditions({
      type: share.text(condition.text("type")),
      status: share.text(condition.text("status")),
      reason: condition.optionalText("reason"),
      message: condition.optionalText("message"),
      lastTransitionTime: condition.optionalText("lastTransitionTime"),
      lastHeartbeatTime: condition.optionalText("lastHeartbeatTime"),
    }),
  );
}
