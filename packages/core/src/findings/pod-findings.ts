import type { Finding, KubeContainer, QuantityTexts } from "@plimsoll/contracts";
import type { PodDemand } from "../capacity/pod-demand.ts";
import { isLikelyMistake } from "../quantity/likely-mistake.ts";
import { tryParseQuantity } from "../quantity/parse-quantity.ts";
import type { FindingInput } from "./finding-input.ts";
import { clusterObject, type Found, listNames, makeFinding, makeFindings } from "./make-finding.ts";

/** Pods that wait, that no figure counts, that request nothing or something nobody meant, and failing system components. */
export function podFindings(input: FindingInput): readonly Finding[] {
  const { facts, failures } = input;
  const pods = input.pods ?? [];
  return [
    ...makeFindings("pod_unschedulable", facts.name, pods.flatMap(unschedulable)),
    ...onMissingNodes(input),
    ...requestsMissing(facts.name, pods),
    ...makeFindings("quantity_likely_mistake", facts.name, likelyMistakes(pods)),
    ...makeFindings(
      "system_component_failing",
      facts.name,
      failures.map(({ object, reason, pods: count }) => ({ object, fields: { reason, pods: count } })),
    ),
  ];
}

function unschedulable(pod: PodDemand): readonly Found[] {
  if (pod.nodeName !== null) return [];
  const condition = pod.pod.status?.conditions?.find((c) => c.type === "PodScheduled" && c.status === "False");
  if (condition?.reason !== "Unschedulable") return [];
  return [
    {
      object: `Pod/${pod.namespace}/${pod.name}`,
      fields: { reason: condition.message || "the scheduler says no more" },
    },
  ];
}

function onMissingNodes({ facts, nodes, pods }: FindingInput): readonly Finding[] {
  if (nodes === null || pods === null) return [];
  const known = new Set(nodes.map((node) => node.name));
  const lost = pods.flatMap(({ nodeName }) => (nodeName === null || known.has(nodeName) ? [] : [nodeName]));
  if (lost.length === 0) return [];
  const fields = { count: lost.length, names: listNames([...new Set(lost)].sort()) };
  return [makeFinding("pods_on_missing_node", { object: clusterObject(facts.name), fields })];
}

function requestsMissing(cluster: string, pods: readonly PodDemand[]): readonly Finding[] {
  const counts = pods.map(containersWithoutRequests).filter((count) => count > 0);
  if (counts.length === 0) return [];
  const fields = { containers: counts.reduce((sum, count) => sum + count, 0), pods: counts.length };
  return [makeFinding("requests_missing", { object: clusterObject(cluster), fields })];
}

function containersWithoutRequests({ pod }: PodDemand): number {
  const level = pod.spec.resources?.requests;
  const missing = ({ resources }: KubeContainer): boolean =>
    (level?.cpu ?? resources?.requests?.cpu) === undefined ||
    (level?.memory ?? resources?.requests?.memory) === undefined;
  return pod.spec.containers.filter(missing).length;
}

/** One per workload: its pods repeat the same mistake. */
function likelyMistakes(pods: readonly PodDemand[]): readonly Found[] {
  const found = new Map<string, Found>();
  for (const { pod, workload } of pods) {
    const object = `${workload.kind}/${workload.namespace}/${workload.name}`;
    if (found.has(object)) continue;
    const mistake = mistakeIn(pod.spec.containers) ?? mistakeIn(pod.spec.initContainers ?? []);
    if (mistake) found.set(object, { object, fields: mistake });
  }
  return [...found.values()];
}

type Mistake = {
  readonly field: string;
  readonly value: string;
};

/** The first mistake in any of the containers. */
function mistakeIn(containers: readonly KubeContainer[]): Mistake | undefined {
  for (const { name, resources } of containers) {
    const found = mistakeOf(resources?.requests, "requests") ?? mistakeOf(resources?.limits, "limits");
    if (found) return { field: `${found.field} of container ${name}`, value: found.value };
  }
  return undefined;
}

/** Only these characters make a fraction of a byte: most values need not be parsed again. */
const MAY_BE_A_FRACTION = /[numE.-]/;

function mistakeOf(texts: QuantityTexts | undefined, list: string): Mistake | undefined {
  for (const resource in texts) {
    const value = texts[resource];
    if (resource === "cpu" || value === undefined || !MAY_BE_A_FRACTION.test(value)) continue;
    const nanos = tryParseQuantity(value);
    if (nanos !== undefined && isLikelyMistake(resource, nanos)) return { field: `${list}.${resource}`, value };
  }
  return undefined;
}
