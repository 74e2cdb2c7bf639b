import type { Finding } from "@plimsoll/contracts";
import { COST_LABELS, resolveLabel } from "../cost/cost-labels.ts";
import { clusterLabels } from "../inventory/cluster-labels.ts";
import { isAgreedEnvironment } from "../inventory/environment.ts";
import type { FindingInput } from "./finding-input.ts";
import { clusterObject, makeFinding } from "./make-finding.ts";

/** Pods whose cost nobody is named for, per label, and an environment that nobody agreed on. */
export function labelFindings({ facts, pods, labels }: FindingInput): readonly Finding[] {
  const object = clusterObject(facts.name);
  const counted = (pods ?? []).filter((pod) => pod.nodeName !== null);
  const missing = COST_LABELS.flatMap((label) => {
    const count = counted.filter((pod) => resolveLabel(pod, label, labels).value === null).length;
    return count === 0
      ? []
      : [makeFinding("label_missing", { object, fields: { label, count, total: counted.length } })];
  });
  const { env } = clusterLabels(facts);
  if (env === undefined || isAgreedEnvironment(env)) return missing;
  return [
    ...missing,
    makeFinding("environment_not_agreed", { object: "Namespace/kube-system", fields: { value: env } }),
  ];
}
