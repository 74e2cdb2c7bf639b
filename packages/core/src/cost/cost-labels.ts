import type { KubeNamespace } from "@plimsoll/contracts";
import type { PodDemand } from "../capacity/pod-demand.ts";

/** The label keys that say whom a cost belongs to, the same everywhere. */
export const COST_LABELS = ["cost-center", "env", "owner-team"] as const;
export type CostLabel = (typeof COST_LABELS)[number];

export type LabelSource = "pod" | "workload" | "namespace" | "cluster" | "none";

/** Labels above the pod that a cost may be attributed by. */
export interface LabelSources {
  /** Labels by namespace name. */
  readonly namespaces: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Labels of the cluster itself (a hub knows them; a scan does not). */
  readonly cluster: Readonly<Record<string, string>>;
}

/** A label's value and the level that won. */
export interface ResolvedLabel {
  readonly value: string | null;
  readonly source: LabelSource;
}

/** Labels of the namespaces that were read; a namespace that was not read has none. */
export function namespaceLabels(
  namespaces: readonly KubeNamespace[],
): ReadonlyMap<string, Readonly<Record<string, string>>> {
  return new Map(namespaces.map(({ metadata }) => [metadata.name, metadata.labels ?? {}]));
}

/** The value of a label for a pod: its own, else its workload's, its namespace's, its cluster's. Empty is missing. */
export function resolveLabel(
  pod: Pick<PodDemand, "pod" | "workload" | "namespace">,
  key: string,
  sources: LabelSources,
): ResolvedLabel {
  const own = pod.pod.metadata.labels?.[key];
  if (own) return { value: own, source: "pod" };
  const ofWorkload = pod.workload.labels?.[key];
  if (ofWorkload) return { value: ofWorkload, source: "workload" };
  const ofNamespace = sources.namespaces.get(pod.namespace)?.[key];
  if (ofNamespace) return { value: ofNamespace, source: "namespace" };
  const ofCluster = sources.cluster[key];
  return ofCluster ? { value: ofCluster, source: "cluster" } : NO_LABEL;
}

const NO_LABEL: ResolvedLabel = { value: null, source: "none" };
