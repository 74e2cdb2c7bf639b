import type { SeededRandom } from "./random.ts";

/** A Kubernetes object as kubectl prints it, keys in its order. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec?: unknown;
  readonly status?: unknown;
}

export interface ObjectMeta {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly creationTimestamp: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly name: string;
  readonly namespace?: string;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly resourceVersion: string;
  readonly uid: string;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly blockOwnerDeletion: true;
  readonly controller: true;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** When the example dumps were "made". Everything in them is dated from here. */
const MADE_AT = Date.parse("2026-03-02T09:30:00Z");

/** RFC 3339 text of a time so many seconds before the dump. */
export function secondsBefore(seconds: number): string {
  return new Date(MADE_AT - Math.round(seconds) * 1000).toISOString().replace(".000", "");
}

/** Metadata with a fresh UID; `age` in seconds. */
export function metadata(random: SeededRandom, name: string, age: number, more: Partial<ObjectMeta> = {}): ObjectMeta {
  const { annotations, labels, namespace, ownerReferences } = more;
  return {
    ...(annotations ? { annotations } : {}),
    creationTimestamp: secondsBefore(age),
    ...(labels ? { labels } : {}),
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(ownerReferences ? { ownerReferences } : {}),
    resourceVersion: String(Math.floor(random.between(1_000_000, 90_000_000))),
    uid: random.uid(),
  };
}

/** A reference to the object that controls another. */
export function ownedBy({ apiVersion, kind, metadata: { name, uid } }: KubeObject): readonly OwnerReference[] {
  return [{ apiVersion, blockOwnerDeletion: true, controller: true, kind, name, uid }];
}
