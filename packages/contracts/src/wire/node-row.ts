/** What a node has of one resource: whole wire units (`wireUnitOf`: nanocores, bytes, nanocounts). */
export interface NodeQuantities {
  readonly capacity: bigint;
  readonly allocatable: bigint;
}

/**
 * What a node was during one UTC hour. Key: (nodeUid, hourStartMs). Sent again as the hour goes on; the greatest
 * `asOfMs` wins, then the greatest sequence. Points of time are milliseconds since 1970 UTC by hub time.
 */
export interface NodeRow {
  readonly nodeUid: string;
  /** A multiple of 3,600,000. */
  readonly hourStartMs: number;
  /** The lengths below run up to here; within the hour, its end included. */
  readonly asOfMs: number;
  readonly nodeName: string;
  readonly createdMs: number;
  /** Null while it exists. */
  readonly deletedMs: number | null;
  /** Null = no label says it. */
  readonly instanceType: string | null;
  readonly region: string | null;
  readonly zone: string | null;
  readonly pool: string | null;
  readonly machineDeployment: string | null;
  /** `spec.providerID`, raw. */
  readonly providerId: string | null;
  /** Read when the node was first seen, and kept. */
  readonly spot: boolean;
  /** Its capacity has no price of its own; its pods are priced by request. */
  readonly virtual: boolean;
  /** Time of this hour that it existed, and that it was Ready and not cordoned; each at most 3,600,000. */
  readonly presentMs: number;
  readonly schedulableMs: number;
  readonly resources: ReadonlyMap<string, NodeQuantities>;
}
