import type { KubeResource } from "@plimsoll/contracts";
import { createRandom } from "../random/random.ts";
import type { GivenRecord, ObjectRecord } from "../records/records.ts";
import type { Seconds } from "../time/seconds.ts";

/** A Kubernetes object that a test gives; a missing UID and creation time are filled in. */
export interface GivenObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly creationTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** The record of a given object. It keeps UID and creation time of the object that it replaces. */
export function givenRecord(
  resource: KubeResource,
  object: GivenObject,
  previous: ObjectRecord | undefined,
  moment: { readonly now: Seconds; readonly revision: number },
): GivenRecord {
  const { name, namespace = "", labels = {}, uid, creationTimestamp } = object.metadata;
  const createdAt =
    creationTimestamp === undefined ? previous?.createdAt : Math.floor(Date.parse(creationTimestamp) / 1000);
  return {
    resource: "given",
    servedAs: resource,
    namespace,
    name,
    uid: uid ?? previous?.uid ?? createRandom(`given/${resource}/${namespace}/${name}/${moment.revision}`).uuid(),
    createdAt: createdAt ?? moment.now,
    labels,
    object,
  };
}
