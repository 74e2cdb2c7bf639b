import type { KubePod } from "@plimsoll/contracts";
import type { Attribution } from "@plimsoll/contracts/wire";
import { controllerOf, type Owners } from "../capacity/owners.ts";
import { resolveWorkload } from "../capacity/resolve-workload.ts";
import { COST_LABELS, type LabelSource, type LabelSources, resolveLabel } from "../cost/cost-labels.ts";

/** Whom a pod's usage belongs to, as far as the objects around it are known. */
export interface PodAttribution {
  readonly attribution: Attribution;
  /** False when the pod's owner was not read (yet, or any more): an earlier answer may be better. */
  readonly complete: boolean;
}

/** Labels that name the pod or its revision, not whom it belongs to: they would make each pod a workload of its own. */
const POD_LABELS: ReadonlySet<string> = new Set([
  "pod-template-hash",
  "controller-revision-hash",
  "pod-template-generation",
  "statefulset.kubernetes.io/pod-name",
  "apps.kubernetes.io/pod-index",
  "controller-uid",
  "job-name",
  "batch.kubernetes.io/controller-uid",
  "batch.kubernetes.io/job-name",
  "batch.kubernetes.io/job-completion-index",
  "kubernetes.io/metadata.name",
]);

/**
 * The attribution of a pod: its top workload; `cost-center`, `env` and `owner-team` of the pod, else its workload, namespace
 * or cluster; and as `labels` everything that these say together, the nearest winning. `labelSource` is where the first of
 * the three was found.
 */
export function podAttribution(pod: KubePod, owners: Owners, sources: LabelSources): PodAttribution {
  const namespace = pod.metadata.namespace ?? "default";
  const workload = resolveWorkload(pod, owners);
  const resolved = COST_LABELS.map((key) => resolveLabel({ pod, namespace, workload }, key, sources));
  const [costCenter, env, ownerTeam] = resolved.map(({ value }) => value);
  const owner = controllerOf(pod.metadata);
  return {
    complete: owner === undefined || owners.find(owner, namespace) !== undefined,
    attribution: {
      namespace,
      workloadType: workload.kind,
      workloadName: workload.name,
      costCenter: costCenter ?? null,
      env: env ?? null,
      ownerTeam: ownerTeam ?? null,
      labelSource: resolved.find(({ source }) => source !== "none")?.source ?? ("none" satisfies LabelSource),
      labels: withoutPodLabels({
        ...sources.cluster,
        ...sources.namespaces.get(namespace),
        ...workload.labels,
        ...pod.metadata.labels,
      }),
    },
  };
}

function withoutPodLabels(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !POD_LABELS.has(key)));
}
