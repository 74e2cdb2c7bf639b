import type { ClusterFacts, KubeNode, KubeObjects, KubePod, KubeResource, Reading, Usage } from "@plimsoll/contracts";

/** Builders of facts for tests: plain objects as the API writes them, with as little as a rule needs. */

export const AS_OF = "2026-01-31T08:00:00Z";

/** A reading that succeeded. */
export function known<T>(value: T): Reading<T> {
  return { known: true, value, observedAt: AS_OF };
}

/** A reading that failed for want of rights. */
export function forbidden(resource: string): Reading<never> {
  const message = `No right to list ${resource} in context test`;
  return { known: false, error: { code: "cluster_forbidden", message, remedy: "grant it" } };
}

/** What a test says of a node; the rest is a Ready node of 4 cores and 16 GiB of which nothing is reserved. */
export interface NodeSketch {
  readonly labels?: Readonly<Record<string, string>>;
  readonly capacity?: Readonly<Record<string, string>>;
  readonly allocatable?: Readonly<Record<string, string>>;
  readonly ready?: string;
  readonly conditions?: NonNullable<KubeNode["status"]>["conditions"];
  readonly deletionTimestamp?: string;
  readonly spec?: KubeNode["spec"];
  readonly nodeInfo?: NonNullable<KubeNode["status"]>["nodeInfo"];
}

export function sampleNode(name: string, sketch: NodeSketch = {}): KubeNode {
  const capacity = sketch.capacity ?? { cpu: "4", memory: "16Gi", pods: "110" };
  const { labels, deletionTimestamp } = sketch;
  return {
    metadata: { name, uid: `uid-${name}`, creationTimestamp: AS_OF, labels, deletionTimestamp },
    spec: sketch.spec ?? {},
    status: {
      capacity,
      allocatable: sketch.allocatable ?? capacity,
      conditions: [{ type: "Ready", status: sketch.ready ?? "True" }, ...(sketch.conditions ?? [])],
      nodeInfo: sketch.nodeInfo ?? { kubeletVersion: "v1.34.2" },
    },
  };
}

/** What a test says of a pod; the rest is a Running pod of one container in namespace shop. */
export interface PodSketch {
  readonly namespace?: string;
  readonly node?: string;
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly owners?: KubePod["metadata"]["ownerReferences"];
  readonly spec?: Partial<KubePod["spec"]>;
  readonly status?: KubePod["status"];
}

export function samplePod(name: string, sketch: PodSketch = {}): KubePod {
  const { namespace = "shop", node, requests, limits, labels, owners } = sketch;
  return {
    metadata: { name, namespace, uid: `uid-${namespace}-${name}`, labels, ownerReferences: owners },
    spec: { nodeName: node, containers: [{ name: "main", resources: { requests, limits } }], ...sketch.spec },
    status: { phase: node === undefined ? "Pending" : "Running", ...sketch.status },
  };
}

/** What a test says of a cluster; every kind that it does not name was read and is empty, usage too. */
export type FactsSketch = Partial<Omit<ClusterFacts, "objects">> & {
  readonly objects?: { readonly [R in KubeResource]?: readonly KubeObjects[R][] | Reading<readonly KubeObjects[R][]> };
};

export function sampleFacts({ objects = {}, ...rest }: FactsSketch = {}): ClusterFacts {
  const reading = <R extends KubeResource>(resource: R): Reading<readonly KubeObjects[R][]> => {
    const given: readonly KubeObjects[R][] | Reading<readonly KubeObjects[R][]> = objects[resource] ?? [];
    return "known" in given ? given : known(given);
  };
  return {
    name: "test",
    source: { kind: "api", location: "https://10.0.0.1:6443" },
    asOf: AS_OF,
    serverVersions: known(["v1.34.2"]),
    objects: {
      nodes: reading("nodes"),
      namespaces: reading("namespaces"),
      pods: reading("pods"),
      persistentvolumeclaims: reading("persistentvolumeclaims"),
      persistentvolumes: reading("persistentvolumes"),
      services: reading("services"),
      resourcequotas: reading("resourcequotas"),
      deployments: reading("deployments"),
      replicasets: reading("replicasets"),
      statefulsets: reading("statefulsets"),
      daemonsets: reading("daemonsets"),
      jobs: reading("jobs"),
      cronjobs: reading("cronjobs"),
    },
    usage: known<Usage>({ source: "metrics.k8s.io", nodes: [], pods: [] }),
    unused: [],
    ...rest,
  };
}
