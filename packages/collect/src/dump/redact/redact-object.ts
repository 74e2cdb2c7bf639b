import { isRawObject, type RawObject, textIn } from "../content/raw-object.ts";
import type { Pseudonyms } from "./pseudonyms.ts";
import { isAddress, redactAddress } from "./redact-address.ts";
import { redactImage } from "./redact-image.ts";
import { redactAnnotations, redactKey, redactLabels } from "./redact-labels.ts";
import { redactProviderId } from "./redact-provider-id.ts";

/** Names of the cluster's own parts: the same everywhere, and rules know them. */
const KEPT_NAMES = /^(default|kubernetes|kube-system|kube-public|kube-node-lease|system-(cluster|node)-critical)$/;

/** Prefixes of replaced names by kind; any other kind has its own in lower case. */
const PREFIXES: Readonly<Record<string, string>> = {
  Namespace: "ns",
  PersistentVolume: "pv",
  PersistentVolumeClaim: "pvc",
  Service: "svc",
  ResourceQuota: "quota",
  Deployment: "deploy",
  ReplicaSet: "rs",
  StatefulSet: "sts",
  DaemonSet: "ds",
};

/** Fields whose texts name nothing: enumerations, versions, times. */
const KEPT_FIELDS = new Set([
  ...["kind", "apiVersion", "type", "status", "reason", "phase", "effect", "restartPolicy", "driver"],
  ...["creationTimestamp", "deletionTimestamp", "startTime", "startedAt", "finishedAt"],
  ...["lastTransitionTime", "lastHeartbeatTime"],
  ...["kubeletVersion", "osImage", "kernelVersion", "containerRuntimeVersion", "architecture", "operatingSystem"],
]);

/** Quantities by resource. */
const QUANTITY_FIELDS = new Set([
  ...["requests", "limits", "capacity", "allocatable", "overhead", "allocatedResources", "hard", "used"],
]);

/** Fields that hold another object's name, with the kind it is of. */
const NAME_FIELDS: Readonly<Record<string, string>> = {
  namespace: "Namespace",
  nodeName: "Node",
  claimName: "PersistentVolumeClaim",
  volumeName: "PersistentVolume",
  storageClassName: "StorageClass",
  priorityClassName: "PriorityClass",
};

/** What `name` is the name of, by the field that holds the object; metadata and ownerReferences are looked up. */
const NAMED_IN: Readonly<Record<string, string>> = {
  claimRef: "PersistentVolumeClaim",
  volumes: "Volume",
  containers: "Container",
  initContainers: "Container",
  containerStatuses: "Container",
  initContainerStatuses: "Container",
};

/** A replacement for the name of an object of this kind. */
export function redactName(kind: string, name: string, pseudonyms: Pseudonyms): string {
  return KEPT_NAMES.test(name) ? name : pseudonyms.name(PREFIXES[kind] ?? kind.toLowerCase(), name);
}

/**
 * Replaces whatever could name someone or something in a slim object of `kind`. Numbers and flags stay; a text in a field
 * that no list here knows is replaced, so that a field added later does not leak.
 */
export function redactObject(kind: string, object: object, pseudonyms: Pseudonyms): RawObject {
  return new ObjectRedaction(kind, pseudonyms).fields("", { ...object });
}

class ObjectRedaction {
  readonly #kind: string;
  readonly #pseudonyms: Pseudonyms;

  constructor(kind: string, pseudonyms: Pseudonyms) {
    this.#kind = kind;
    this.#pseudonyms = pseudonyms;
  }

  /** The fields of the object that stands in the field `holder`. */
  fields(holder: string, object: RawObject): RawObject {
    const redacted: Record<string, unknown> = {};
    for (const [field, value] of Object.entries(object)) {
      // What a condition says in words may say anything.
      if (value !== undefined && field !== "message") redacted[field] = this.#value(holder, field, value, object);
    }
    return redacted;
  }

  #value(holder: string, field: string, value: unknown, object: RawObject): unknown {
    if (typeof value === "string") return this.#text(holder, field, value, object);
    if (Array.isArray(value)) return value.map((item) => this.#value(holder, field, item, object));
    if (!isRawObject(value)) return value;
    if (field === "labels") return redactLabels(textsOf(value), this.#pseudonyms);
    if (field === "annotations") return redactAnnotations(textsOf(value), this.#pseudonyms);
    return QUANTITY_FIELDS.has(field) ? this.#quantities(value) : this.fields(field, value);
  }

  #text(holder: string, field: string, text: string, object: RawObject): string {
    if (KEPT_FIELDS.has(field)) return text;
    if (field === "name") return redactName(this.#kindOfName(holder, object), text, this.#pseudonyms);
    if (field === "uid") return this.#pseudonyms.uid(text);
    if (field === "image") return redactImage(text, this.#pseudonyms);
    if (field === "providerID") return redactProviderId(text, this.#pseudonyms);
    if (holder === "taints" && field === "key") return redactKey(text, this.#pseudonyms);
    const kind = NAME_FIELDS[field];
    // Before addresses: some providers name nodes by their address.
    if (kind !== undefined) return redactName(kind, text, this.#pseudonyms);
    if (isAddress(text)) return redactAddress(text, this.#pseudonyms);
    if (field === "address") return redactName("Node", text, this.#pseudonyms);
    return text === "" || text === "None" ? text : redactName("Text", text, this.#pseudonyms);
  }

  #kindOfName(holder: string, object: RawObject): string {
    if (holder === "metadata") return this.#kind;
    return NAMED_IN[holder] ?? textIn(object, "kind") ?? "Text";
  }

  /** Resource names of a quota may hold a storage class: "gold.storageclass.storage.k8s.io/requests.storage". */
  #quantities(quantities: RawObject): RawObject {
    const entries = Object.entries(quantities).map(([resource, quantity]) => {
      const [, storageClass, rest = ""] = /^(.+)(\.storageclass\.storage\.k8s\.io\/.*)$/.exec(resource) ?? [];
      if (storageClass === undefined) return [resource, quantity];
      return [redactName("StorageClass", storageClass, this.#pseudonyms) + rest, quantity];
    });
    return Object.fromEntries(entries);
  }
}

function textsOf(map: RawObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(map).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
