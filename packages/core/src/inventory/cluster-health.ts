import type { ClusterFacts, HealthStatus } from "@plimsoll/contracts";
import type { NodeFacts } from "../nodes/node-facts.ts";
import { isReadyNode } from "../nodes/node-state.ts";
import type { SystemFailure } from "./system-failures.ts";

/** Health of a cluster with every reason for it; no reason = healthy. */
export interface ClusterHealth {
  readonly status: HealthStatus;
  readonly reasons: readonly string[];
}

/** Over this share of NotReady nodes a cluster is degraded. */
const NOT_READY_SHARE = { of: 1, in: 10 };

/**
 * unknown = nothing was read; unhealthy = the API server answered nothing but errors; degraded = no nodes, over 10 % of
 * them NotReady, a system component failing, or something could not be read; else healthy.
 */
export function clusterHealth(
  facts: ClusterFacts,
  nodes: readonly NodeFacts[] | null,
  failures: readonly SystemFailure[],
): ClusterHealth {
  const readings = [facts.serverVersions, ...Object.values(facts.objects)];
  if (readings.every((reading) => !reading.known)) {
    const failing = readings.every((reading) => !reading.known && reading.error.code === "api_error");
    return failing
      ? { status: "unhealthy", reasons: ["the API server answers with errors"] }
      : { status: "unknown", reasons: ["nothing could be read"] };
  }
  const reasons = [...nodeReasons(nodes), ...failureReasons(failures), ...partialReason(facts)];
  return { status: reasons.length === 0 ? "healthy" : "degraded", reasons };
}

/** Are over 10 % of the nodes NotReady? */
export function manyNotReady(nodes: readonly NodeFacts[]): boolean {
  return countNotReady(nodes) * NOT_READY_SHARE.in > nodes.length * NOT_READY_SHARE.of;
}

/** What follows "1 of 1" (node is), "1 of 9" (nodes is) and "2 of 9" (nodes are). */
export function nodesAre(count: number, total: number): string {
  return `${total === 1 ? "node" : "nodes"} ${count === 1 ? "is" : "are"}`;
}

function countNotReady(nodes: readonly NodeFacts[]): number {
  return nodes.filter(({ node }) => !isReadyNode(node)).length;
}

/** Nodes that could not be listed are a reason of their own. */
function nodeReasons(nodes: readonly NodeFacts[] | null): readonly string[] {
  if (nodes === null) return [];
  if (nodes.length === 0) return ["no node was found"];
  if (!manyNotReady(nodes)) return [];
  const count = countNotReady(nodes);
  return [`${count} of ${nodes.length} ${nodesAre(count, nodes.length)} NotReady (over 10 %)`];
}

function failureReasons(failures: readonly SystemFailure[]): readonly string[] {
  return failures.map(({ object, reason, pods }) => `${object} fails: ${reason} (pods: ${pods})`);
}

function partialReason(facts: ClusterFacts): readonly string[] {
  const unread = Object.entries(facts.objects).filter(([, reading]) => !reading.known);
  return unread.length === 0 ? [] : [`not readable: ${unread.map(([resource]) => resource).join(", ")}`];
}
