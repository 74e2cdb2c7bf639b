import type { CostNanos, QuantityNanos } from "@plimsoll/contracts";
import type { PodDemand } from "../capacity/pod-demand.ts";
import type { NodeFacts } from "../nodes/node-facts.ts";
import { type ChargedPod, chargedOf } from "./charged-pod.ts";
import type { NodeCost, ResourceCost } from "./node-cost.ts";
import { splitByWeights } from "./split-by-weights.ts";

export type CostKind = "workload" | "idle" | "system";

/** One hour of one resource of one node: the share of a pod, of the system, or of nobody. */
export interface CostShare {
  readonly node: string;
  readonly resource: string;
  readonly kind: CostKind;
  /** Null for idle and for what the node keeps for itself. */
  readonly pod: PodDemand | null;
  /** What the share is of, nano-units of the resource, before any rescaling. */
  readonly quantity: QuantityNanos;
  readonly cost: CostNanos;
}

/** The shares of a node and the resources that more was charged of than is allocatable. */
export interface NodeAllocation {
  readonly shares: readonly CostShare[];
  readonly overCommitted: readonly string[];
}

/**
 * Splits the cost of a node over pods, idle and system so that they sum to it exactly, per resource:
 * system = capacity − allocatable; charged shares that exceed allocatable are rescaled to it; idle = the rest of it.
 * Rule: cost rules "Allocation, conserving". The order of `charged` decides nothing but the last nano-unit.
 */
export function allocateNode(node: NodeFacts, cost: NodeCost, charged: readonly ChargedPod[]): NodeAllocation {
  const splits = cost.resources.map((resource) => allocateResource(node, resource, charged));
  return {
    shares: splits.flatMap((split) => split.shares),
    overCommitted: splits.filter((split) => split.overCommitted).map((split) => split.resource),
  };
}

interface ResourceSplit {
  readonly resource: string;
  readonly shares: readonly CostShare[];
  readonly overCommitted: boolean;
}

function allocateResource(node: NodeFacts, held: ResourceCost, charged: readonly ChargedPod[]): ResourceSplit {
  const { resource, capacity, cost } = held;
  const allocatable = smaller(node.allocatable.get(resource) ?? capacity, capacity);
  const users = charged.filter((pod) => chargedOf(pod, resource) > 0n);
  const total = users.reduce((sum, pod) => sum + chargedOf(pod, resource), 0n);
  const overCommitted = total > allocatable;
  // Rescaling without fractions: everything that is not charged is weighed in units of total ÷ allocatable.
  const [chargedScale, restScale] = overCommitted ? [allocatable, total] : [1n, 1n];
  const idle = overCommitted ? 0n : allocatable - total;
  const system = capacity - allocatable;
  const parts = splitByWeights(cost, [
    ...users.map((pod) => chargedOf(pod, resource) * chargedScale),
    idle * restScale,
    system * restScale,
  ]);
  const share = (kind: CostKind, pod: PodDemand | null, quantity: QuantityNanos, index: number): CostShare => {
    return { node: node.name, resource, kind, pod, quantity, cost: parts[index] ?? 0n };
  };
  const shares = users.map((user, index) => share("workload", user.pod, chargedOf(user, resource), index));
  shares.push(share("idle", null, idle, users.length), share("system", null, system, users.length + 1));
  return { resource, shares, overCommitted };
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
