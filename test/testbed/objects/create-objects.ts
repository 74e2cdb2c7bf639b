import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, type ApiObject, asObject } from "../api-client.ts";
import type { Cluster } from "../cluster-types.ts";
import type { NewObject, OwnerReference } from "./object-types.ts";

/** Kinds that others need, in the order in which they are made; all other kinds follow. */
const FIRST = [
  ["Namespace", "CustomResourceDefinition", "RuntimeClass", "StorageClass", "PriorityClass"],
  ["Node", "PersistentVolume", "ResourceQuota"],
  ["PersistentVolumeClaim", "Service"],
];

const CLUSTER_KINDS = new Set([...(FIRST[0] ?? []), "Node", "PersistentVolume", "ClusterRole", "ClusterRoleBinding"]);
const PARALLEL = 24;
const RETRY_MS = 15_000;

/** Creates the objects, what others need first, and gives them back in the order of the arguments. */
export async function createObjects(cluster: Cluster, objects: readonly NewObject[]): Promise<ApiObject[]> {
  const made = new Map<NewObject, ApiObject>();
  const early = new Set(FIRST.flat());
  for (const kinds of [...FIRST, undefined]) {
    const batch = objects.filter(({ kind }) => (kinds === undefined ? !early.has(kind) : kinds.includes(kind)));
    await inParallel(batch, async (object) => {
      made.set(object, await createObject(cluster, object));
    });
  }
  return objects.flatMap((object) => made.get(object) ?? []);
}

/** A reference that makes `owner` the controller of another object. */
export function ownedBy(owner: ApiObject): OwnerReference {
  const { apiVersion = "", kind = "", metadata } = owner;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? "", controller: true };
}

/** The collection's path for objects of this kind: /api/v1/namespaces/NS/pods. */
export function collectionPath({ apiVersion, kind, metadata }: NewObject): string {
  const group = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const scope = CLUSTER_KINDS.has(kind) ? "" : `/namespaces/${metadata.namespace ?? "default"}`;
  const lower = kind.toLowerCase();
  return `${group}${scope}/${/(s|x|ch)$/.test(lower) ? `${lower}es` : lower.replace(/y$/, "ie").concat("s")}`;
}

async function createObject(cluster: Cluster, object: NewObject): Promise<ApiObject> {
  const end = performance.now() + RETRY_MS;
  for (;;) {
    try {
      return asObject(await cluster.api.post(collectionPath(object), object));
    } catch (error) {
      if (!isTooEarly(error) || performance.now() > end) throw error;
      await sleep(100);
    }
  }
}

/** A namespace's account, a quota's count, a RuntimeClass or a new kind are known a moment after they were made. */
function isTooEarly(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 403 || error.status === 404);
}

/** Runs `work` for every item, at most 24 at a time; the first failure ends it. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(PARALLEL, items.length) }, worker));
}
