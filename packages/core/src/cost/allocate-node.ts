import type { CostNanos, QuantityNanos } from "@plimsoll/contracts";
import type { PodDemand } from "../capacity/pod-demand.ts";
import type { NodeFacts } from "../nodes/node-facts.ts";
import { type ChargedPod, chargedOf } from "./charged-pod.ts";
import type { NodeCost, ResourceCost } from "./node-cost.ts";
import { type CapacityShare, splitCapacity } from "./split-capacity.ts";

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
  const users = charged.filter((pod) => chargedOf(pod, resource) > 0n);
  const quantities = users.map((pod) => chargedOf(pod, resource));
  const split = splitCapacity(cost, capacity, node.allocatable.get(resource) ?? capacity, quantities);
  const share = (kind: CostKind, pod: PodDemand | null, { quantity, cost }: CapacityShare): CostShare => {
    return { node: node.name, resource, kind, pod, quantity, cost };
  };
  const shares = users.map((user, index) => share("workload", user.pod, split.users[index] ?? NOTHING));
  shares.push(share("idle", null, split.idle), share("system", null, split.system));
  return { resource, shares, overCommitted: split.overCommitted };
}

const NOTHING: CapacityShare = { quantity: 0n, cost: 0n };
