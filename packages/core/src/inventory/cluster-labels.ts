import type { ClusterFacts, KubeNamespace } from "@plimsoll/contracts";
import { COST_LABELS } from "../cost/cost-labels.ts";

/** Namespace kube-system, whose UID is the cluster's fingerprint; undefined when it was not read. */
export function kubeSystem(facts: ClusterFacts): KubeNamespace | undefined {
  const { namespaces } = facts.objects;
  return namespaces.known ? namespaces.value.find(({ metadata }) => metadata.name === "kube-system") : undefined;
}

/**
 * The cluster's own `cost-center`, `env` and `owner-team`, as far as namespace kube-system carries them: a cluster has no
 * other place for labels that a scan can see.
 */
export function clusterLabels(facts: ClusterFacts): Readonly<Record<string, string>> {
  const labels = kubeSystem(facts)?.metadata.labels ?? {};
  return Object.fromEntries(
    COST_LABELS.flatMap((key) => {
      const value = labels[key];
      return value === undefined || value === "" ? [] : [[key, value]];
    }),
  );
}
