import type { QuantityNanos, WorkloadFigures } from "@plimsoll/contracts";
import type { NodeFacts } from "../nodes/node-facts.ts";
import { addResources } from "../quantity/resource-nanos.ts";
import type { PodDemand } from "./pod-demand.ts";
import { published } from "./published.ts";
import type { Workload } from "./resolve-workload.ts";

interface Sum {
  readonly workload: Workload;
  pods: number;
  readonly requested: Map<string, QuantityNanos>;
}

/**
 * What each workload requests now on the schedulable nodes, sorted by namespace, kind and name. Each figure is rounded up
 * on its own, so their sum may pass the cluster's by less than one unit per workload.
 */
export function workloadFigures(
  pods: readonly PodDemand[],
  nodes: readonly Pick<NodeFacts, "name" | "exclusion">[],
): readonly WorkloadFigures[] {
  const counted = new Set(nodes.filter((node) => node.exclusion === null).map((node) => node.name));
  const sums = new Map<string, Sum>();
  for (const pod of pods) {
    if (pod.nodeName === null || !counted.has(pod.nodeName)) continue;
    const { workload } = pod;
    const key = `${workload.namespace}/${workload.kind}/${workload.name}`;
    const sum = sums.get(key) ?? { workload, pods: 0, requested: new Map<string, QuantityNanos>() };
    sums.set(key, sum);
    sum.pods += 1;
    addResources(sum.requested, pod.requests);
  }
  const keys = [...sums.keys()].sort();
  return keys.flatMap((key) => figuresOf(sums.get(key)));
}

function figuresOf(sum: Sum | undefined): readonly WorkloadFigures[] {
  if (!sum) return [];
  const { namespace, kind, name } = sum.workload;
  const requested = published(sum.requested);
  return [{ namespace, workload_type: kind, workload_name: name, pods: sum.pods, requested }];
}
