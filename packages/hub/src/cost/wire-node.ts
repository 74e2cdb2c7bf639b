import type { QuantityNanos } from "@plimsoll/contracts";
import { fromWireQuantity, type NodeQuantities, type NodeRow } from "@plimsoll/contracts/wire";
import type { NodeHour } from "@plimsoll/core";

/** A delivered node row as pricing takes it. Rows carry no labels, so shared GPUs are priced as they are announced. */
export function toNodeHour(row: NodeRow, presentMs: number = row.presentMs): NodeHour {
  const quantities = (of: (quantities: NodeQuantities) => bigint): ReadonlyMap<string, QuantityNanos> =>
    new Map([...row.resources].map(([resource, each]) => [resource, fromWireQuantity(resource, of(each))]));
  return {
    name: row.nodeName,
    labels: {},
    pool: row.pool,
    instanceType: row.instanceType,
    region: row.region,
    zone: row.zone,
    virtual: row.virtual,
    spot: row.spot,
    capacity: quantities(({ capacity }) => capacity),
    allocatable: quantities(({ allocatable }) => allocatable),
    presentMs,
  };
}

/** Finds the node that a pod ran on: by UID, else by name (of two of one name, the younger). */
export class NodeIndex {
  private readonly byUid: ReadonlyMap<string, NodeRow>;
  private readonly byName: ReadonlyMap<string, NodeRow>;

  constructor(nodes: readonly NodeRow[]) {
    const oldestFirst = nodes.toSorted((a, b) => a.createdMs - b.createdMs);
    this.byUid = new Map(nodes.map((node) => [node.nodeUid, node]));
    this.byName = new Map(oldestFirst.map((node) => [node.nodeName, node]));
  }

  find({ nodeUid, nodeName }: { readonly nodeUid: string | null; readonly nodeName: string }): NodeRow | undefined {
    return (nodeUid === null ? undefined : this.byUid.get(nodeUid)) ?? this.byName.get(nodeName);
  }
}
