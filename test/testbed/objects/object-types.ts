/** A Kubernetes object to be created. */
export interface NewObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly OwnerReference[];
  };
  readonly [field: string]: unknown;
}

/** The controlling owner of an object. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller: true;
}

/** Labels or annotations. */
export type StringMap = Readonly<Record<string, string>>;

/** Resource name → quantity as Kubernetes writes it. */
export type Quantities = Readonly<Record<string, string>>;

/** Node label: kwok.yaml never touches a node with the value "silent". */
export const STATE_LABEL = "testbed.plimsoll.dev/state";
/** Pod annotation: the phase in which kwok.yaml leaves the pod. */
export const PHASE_ANNOTATION = "testbed.plimsoll.dev/phase";
/** Pod annotations: what each container of the pod uses, as kwok reports it. */
export const USAGE_CPU_ANNOTATION = "kwok.x-k8s.io/usage-cpu";
export const USAGE_MEMORY_ANNOTATION = "kwok.x-k8s.io/usage-memory";
