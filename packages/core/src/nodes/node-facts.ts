import type { ExclusionReason, KubeNode, QuantityNanos, ResourceNanos } from "@plimsoll/contracts";
import { parseResources } from "../quantity/resource-nanos.ts";
import { physicalCards } from "./gpu-cards.ts";
import { isSpotNode, type NodePlacement, nodePlacement } from "./node-placement.ts";
import { exclusionReason, isVirtualNode, type NodeOptions } from "./node-state.ts";
import { type ProviderId, parseProviderId } from "./parse-provider-id.ts";
import { refuseNegative } from "./refuse-negative.ts";

/** One node, read: quantities parsed, labels understood. */
export interface NodeFacts extends NodePlacement {
  readonly node: KubeNode;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly providerId: ProviderId;
  /** Nano-units by resource, as the node reports them. */
  readonly capacity: ResourceNanos;
  /** What pods may use; a resource that the node gives no allocatable for counts with its capacity. */
  readonly allocatable: ResourceNanos;
  /** Why the node is out of whole-cluster figures; null when it counts. It costs money all the same. */
  readonly exclusion: ExclusionReason | null;
  readonly virtual: boolean;
  readonly spot: boolean;
  /** Physical GPU cards, nano-units. */
  readonly gpuCards: QuantityNanos;
}

/** Reads one node. Throws `quantity_invalid` or `quantity_negative` naming the field. */
export function readNode(node: KubeNode, options: NodeOptions = {}): NodeFacts {
  const name = node.metadata.name;
  const labels = node.metadata.labels ?? {};
  const capacity = parseResources(node.status?.capacity, `Node/${name} status.capacity`);
  const allocatable = parseResources(node.status?.allocatable, `Node/${name} status.allocatable`);
  refuseNegative(capacity, `Node/${name} status.capacity`);
  refuseNegative(allocatable, `Node/${name} status.allocatable`);
  const providerId = parseProviderId(node.spec.providerID);
  return {
    node,
    name,
    labels,
    providerId,
    capacity,
    allocatable: new Map([...capacity, ...allocatable]),
    exclusion: exclusionReason(node, options),
    virtual: isVirtualNode(node),
    spot: isSpotNode(node),
    gpuCards: physicalCards(capacity, labels),
    ...nodePlacement(node, providerId),
  };
}
