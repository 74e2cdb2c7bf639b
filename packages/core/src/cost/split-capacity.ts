import type { CostNanos } from "@plimsoll/contracts";
import { splitByWeights } from "./split-by-weights.ts";

/** A part of a capacity and of its cost. */
export interface CapacityShare {
  /** What the share is of, before any rescaling, in the unit of the capacity. */
  readonly quantity: bigint;
  readonly cost: CostNanos;
}

/** The cost of a capacity, split so that all shares sum to it exactly. */
export interface CapacitySplit {
  /** In the order of the users. */
  readonly users: readonly CapacityShare[];
  readonly idle: CapacityShare;
  readonly system: CapacityShare;
  /** More was charged than is allocatable. */
  readonly overCommitted: boolean;
}

/**
 * Splits the cost of a capacity: system = capacity − allocatable; charged quantities that exceed allocatable are rescaled to
 * it; idle = the rest of it, never negative. Quantities may be momentary or integrals over time, all in one unit. Rule: cost
 * rules "Allocation, conserving". The order of users decides nothing but the last nano-unit.
 */
export function splitCapacity(
  cost: CostNanos,
  capacity: bigint,
  allocatable: bigint,
  charged: readonly bigint[],
): CapacitySplit {
  const usable = allocatable < capacity ? allocatable : capacity;
  const total = charged.reduce((sum, quantity) => sum + quantity, 0n);
  const overCommitted = total > usable;
  // Rescaling without fractions: everything that is not charged is weighed in units of total ÷ allocatable.
  const [chargedScale, restScale] = overCommitted ? [usable, total] : [1n, 1n];
  const idle = overCommitted ? 0n : usable - total;
  const system = capacity - usable;
  const weights = [...charged.map((quantity) => quantity * chargedScale), idle * restScale, system * restScale];
  const parts = splitByWeights(cost, weights);
  const share = (quantity: bigint, index: number): CapacityShare => ({ quantity, cost: parts[index] ?? 0n });
  return {
    users: charged.map(share),
    idle: share(idle, charged.length),
    system: share(system, charged.length + 1),
    overCommitted,
  };
}
