import type { ResourceNanos } from "@plimsoll/contracts";
import type { SampleScope } from "@plimsoll/contracts/wire";
import type { CapacityInput } from "./cluster-capacity.ts";
import type { PodDemand } from "./pod-demand.ts";
import { podsByNode, requestedOf, sumOf } from "./pods-by-node.ts";
import { podUsageKey, type UsageFigures } from "./usage-figures.ts";

/** What one node, one namespace, or the schedulable nodes together carry at a moment; null = unknown. */
export interface Load {
  readonly scope: SampleScope;
  /** Node UID, namespace name, or "" for the cluster. */
  readonly subject: string;
  readonly requested: ResourceNanos | null;
  readonly used: ResourceNanos | null;
}

/**
 * The loads of a cluster. Every registered node but virtual ones has one; the cluster's is over the schedulable nodes, and
 * its usage is unknown unless all of them reported. A namespace's usage is the sum over its pods that reported.
 */
export function clusterLoads({ nodes, pods, usage }: CapacityInput): readonly Load[] {
  const byNode = pods && podsByNode(pods);
  const ofNode = (name: string): ResourceNanos | null => byNode && requestedOf(byNode.get(name) ?? []);
  const counted = nodes.filter((node) => node.exclusion === null);
  const reported = counted.every((node) => usage?.nodes.has(node.name));
  return [
    ...nodes
      .filter((node) => !node.virtual)
      .map((node): Load => {
        const subject = node.node.metadata.uid;
        return { scope: "node", subject, requested: ofNode(node.name), used: usage?.nodes.get(node.name) ?? null };
      }),
    ...namespaceLoads(pods ?? [], usage),
    {
      scope: "cluster",
      subject: "",
      requested: byNode && requestedOf(counted.flatMap((node) => byNode.get(node.name) ?? [])),
      used: usage && reported ? sumOf(counted, (node) => usage.nodes.get(node.name) ?? new Map()) : null,
    },
  ];
}

function namespaceLoads(pods: readonly PodDemand[], usage: UsageFigures | null): readonly Load[] {
  const bound = pods.filter((pod) => pod.nodeName !== null);
  return [...Map.groupBy(bound, (pod) => pod.namespace)].map(([subject, held]): Load => {
    const used = held.flatMap((pod) => usage?.pods.get(podUsageKey(pod.namespace, pod.name)) ?? []);
    return {
      scope: "namespace",
      subject,
      requested: requestedOf(held),
      used: used.length === 0 ? null : sumOf(used, (resources) => resources),
    };
  });
}
