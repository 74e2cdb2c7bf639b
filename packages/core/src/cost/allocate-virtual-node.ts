import { NANOS } from "@plimsoll/contracts";
import type { PodDemand } from "../capacity/pod-demand.ts";
import type { NodeFacts } from "../nodes/node-facts.ts";
import type { CostShare } from "./allocate-node.ts";
import { roundedTimes, times } from "./fraction.ts";
import { ratesPerKind } from "./node-cost.ts";
import type { UnitRates } from "./price-book.ts";
import { pricedResource } from "./priced-resources.ts";

/**
 * The shares of the pods of a virtual node: its capacity has no price, each pod costs request × unit price, nothing is idle
 * or system. Each share is rounded half up to a nano-unit.
 */
export function allocateVirtualNode(
  node: NodeFacts,
  rates: UnitRates,
  pods: readonly PodDemand[],
): readonly CostShare[] {
  const perKind = ratesPerKind(rates);
  return pods.flatMap((pod) =>
    [...pod.chargedRequests].flatMap(([resource, quantity]): readonly CostShare[] => {
      const priced = pricedResource(resource, node.labels);
      if (!priced || quantity === 0n) return [];
      const cost = roundedTimes(times(priced.units(quantity), perKind[priced.kind]), NANOS);
      return [{ node: node.name, resource, kind: "workload", pod, quantity, cost }];
    }),
  );
}
