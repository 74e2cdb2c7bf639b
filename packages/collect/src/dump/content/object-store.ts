import { type KubeObjects, type KubeResource, PlimsollError } from "@plimsoll/contracts";
import { KUBE_RESOURCES, RESOURCE_PATHS } from "../../kube/resources.ts";
import { createProjectors } from "../../projection/projectors.ts";
import type { NewestTime } from "./newest-time.ts";
import { objectIn, type RawObject, textIn } from "./raw-object.ts";

interface Held<R extends KubeResource> {
  readonly object: KubeObjects[R];
  /** metadata.resourceVersion as a number; -1 when it is none. */
  readonly version: number;
  readonly hasUid: boolean;
}

type Shelves = { readonly [R in KubeResource]: Map<string, Held<R>> };

/** How often an object was met that was there already; none counts twice. */
export interface Repeats {
  /** Same UID, or the same name where one has no UID. */
  same: number;
  /** Same name where neither has a UID. */
  sameByName: number;
  /** Same name with another UID: it was replaced between two reads; the younger one counts. */
  replaced: number;
}

/**
 * The slim objects of one dump, each once. Within one kind a namespace and name are unique at any moment, so they are the
 * key; UIDs tell whether two of one key are the same object. Of the same object the one with the higher resourceVersion stays.
 */
export class ObjectStore {
  readonly repeats: Repeats = { same: 0, sameByName: 0, replaced: 0 };
  /** Objects without a UID, which got one made of kind and name. */
  withoutUid = 0;
  #count = 0;
  readonly #path: string;
  readonly #newest: NewestTime;
  readonly #projectors = createProjectors();
  readonly #shelves: Shelves;

  constructor(path: string, newest: NewestTime) {
    this.#path = path;
    this.#newest = newest;
    this.#shelves = emptyShelves();
  }

  /** Objects taken in so far, repeats included. */
  get count(): number {
    return this.#count;
  }

  /**
   * Projects a raw object and keeps it. Throws object_unusable, or dump_two_clusters when it is a second kube-system
   * namespace: its UID identifies a cluster and never changes.
   */
  add<R extends KubeResource>(resource: R, raw: RawObject, where: string): void {
    const metadata = objectIn(raw, "metadata");
    const uid = textIn(metadata, "uid");
    const object = this.#projectors[resource](uid === undefined ? withUid(resource, raw, metadata) : raw, where);
    const held: Held<R> = { object, version: versionOf(metadata), hasUid: uid !== undefined };
    const key = `${object.metadata.namespace ?? ""}/${object.metadata.name}`;
    const shelf = this.#shelves[resource];
    const before = shelf.get(key);
    if (before === undefined) {
      if (!held.hasUid) this.withoutUid += 1;
      shelf.set(key, held);
    } else if (this.#chooses(resource, before, held)) shelf.set(key, held);
    this.#count += 1;
  }

  /** The objects of a resource in the order they were met. */
  objects<R extends KubeResource>(resource: R): readonly KubeObjects[R][] {
    return Array.from(this.#shelves[resource].values(), (held) => held.object);
  }

  has(resource: KubeResource): boolean {
    return this.#shelves[resource].size > 0;
  }

  /** Looks through everything for the newest time. */
  seeTimes(): void {
    for (const node of this.objects("nodes")) this.#newest.seeNode(node);
    for (const pod of this.objects("pods")) this.#newest.seePod(pod);
    for (const resource of KUBE_RESOURCES) {
      for (const held of this.#shelves[resource].values()) this.#newest.seeObject(held.object);
    }
  }

  /** Does the later of two objects of one key take the place of the earlier? */
  #chooses<R extends KubeResource>(resource: R, before: Held<R>, after: Held<R>): boolean {
    const same = !before.hasUid || !after.hasUid || before.object.metadata.uid === after.object.metadata.uid;
    if (same) {
      this.repeats[before.hasUid || after.hasUid ? "same" : "sameByName"] += 1;
      return after.hasUid === before.hasUid ? after.version > before.version : after.hasUid;
    }
    if (resource === "namespaces" && before.object.metadata.name === "kube-system") {
      const uids = `${before.object.metadata.uid} and ${after.object.metadata.uid}`;
      throw new PlimsollError("dump_two_clusters", { path: this.#path, uids });
    }
    this.repeats.replaced += 1;
    return (after.object.metadata.creationTimestamp ?? "") > (before.object.metadata.creationTimestamp ?? "");
  }
}

function emptyShelves(): Shelves {
  return {
    nodes: new Map(),
    namespaces: new Map(),
    pods: new Map(),
    persistentvolumeclaims: new Map(),
    persistentvolumes: new Map(),
    services: new Map(),
    resourcequotas: new Map(),
    deployments: new Map(),
    replicasets: new Map(),
    statefulsets: new Map(),
    daemonsets: new Map(),
    jobs: new Map(),
    cronjobs: new Map(),
  };
}

/**
 * Gives an object without UID one that is its own within the dump. Namespace kube-system gets an empty one: its UID is the
 * cluster's fingerprint, and a made-up one would make two clusters one.
 */
function withUid(resource: KubeResource, raw: RawObject, metadata: RawObject | undefined): RawObject {
  const name = textIn(metadata, "name") ?? "";
  const uid = resource === "namespaces" && name === "kube-system" ? "" : madeUid(resource, metadata, name);
  return { ...raw, metadata: { ...metadata, uid } };
}

function madeUid(resource: KubeResource, metadata: RawObject | undefined, name: string): string {
  return ["no-uid", RESOURCE_PATHS[resource].kind, textIn(metadata, "namespace") ?? "", name].join("/");
}

function versionOf(metadata: RawObject | undefined): number {
  const version = Number(textIn(metadata, "resourceVersion") ?? "-1");
  return Number.isSafeInteger(version) ? version : -1;
}
