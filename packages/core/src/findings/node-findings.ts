import type { Finding, KubeNode } from "@plimsoll/contracts";
import { manyNotReady, nodesAre } from "../inventory/cluster-health.ts";
import { isReadyNode } from "../nodes/node-state.ts";
import type { FindingInput } from "./finding-input.ts";
import { clusterObject, makeFinding, makeFindings } from "./make-finding.ts";

/** Nodes that are NotReady, under pressure, over-committed or without a price. */
export function nodeFindings({ facts, nodes, allocation }: FindingInput): readonly Finding[] {
  const all = (nodes ?? []).map(({ node }) => node);
  const notReady = all.filter((node) => !isReadyNode(node));
  const overCommitted = allocation?.nodes.filter((node) => node.overCommitted.length > 0) ?? [];
  return [
    ...makeFindings(
      "node_not_ready",
      facts.name,
      notReady.map((node) => found(node, { reason: notReadyReason(node) })),
    ),
    ...(manyNotReady(nodes ?? [])
      ? [
          makeFinding("many_nodes_not_ready", {
            object: clusterObject(facts.name),
            fields: {
              count: notReady.length,
              total: all.length,
              nodes: nodesAre(notReady.length, all.length),
            },
          }),
        ]
      : []),
    ...makeFindings("node_pressure", facts.name, all.flatMap(pressureOf)),
    ...makeFindings(
      "node_over_committed",
      facts.name,
      overCommitted.map((node) => ({
        object: `Node/${node.name}`,
        fields: { resources: node.overCommitted.join(" and ") },
      })),
    ),
    ...makeFindings(
      "node_unpriced",
      facts.name,
      (allocation?.unpriced ?? []).map((name) => ({ object: `Node/${name}` })),
    ),
  ];
}

const PRESSURES: ReadonlySet<string> = new Set(["MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable"]);

function pressureOf(node: KubeNode) {
  const conditions = (node.status?.conditions ?? []).filter((c) => PRESSURES.has(c.type) && c.status === "True");
  return conditions.length === 0 ? [] : [found(node, { conditions: conditions.map((c) => c.type).join(", ") })];
}

function notReadyReason(node: KubeNode): string {
  const ready = node.status?.conditions?.find((c) => c.type === "Ready");
  if (!ready) return "it has never reported";
  return ready.message || ready.reason || `its condition Ready is ${ready.status}`;
}

function found(node: KubeNode, fields: Readonly<Record<string, string>>) {
  return { object: `Node/${node.metadata.name}`, fields };
}
