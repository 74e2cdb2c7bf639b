import type { CostNanos, Currency } from "@plimsoll/contracts";

/** The kinds of priced rows that this release makes. */
export type CostRecordKind = "workload" | "idle" | "system";

/** The node that a priced row is of. Rows of one node share the object. */
export interface CostPlace {
  readonly clusterId: string;
  readonly nodeUid: string;
  readonly nodeName: string;
  readonly nodePool: string | null;
  readonly machineDeployment: string | null;
  /** `spec.providerID`, raw. */
  readonly instanceId: string | null;
  readonly instanceType: string | null;
  readonly region: string | null;
  readonly zone: string | null;
  readonly pricing: string;
  readonly priceSource: string;
}

/** Whom a priced row belongs to. Rows of one owner share the object. */
export interface CostOwner {
  readonly namespace: string;
  readonly workloadType: string;
  readonly workloadName: string;
  readonly costCenter: string | null;
  readonly env: string | null;
  readonly ownerTeam: string | null;
  readonly labelSource: string;
  /** JSON text of the label set, keys sorted. */
  readonly labels: string;
  readonly mode: string;
}

/**
 * One priced row: cluster × node × namespace × workload × attribution × pricing × cost kind × resource × hour. Source of the
 * fields: the cost record of the cost rules. Integrals are wire units × seconds.
 */
export interface CostRecord {
  readonly hourStartMs: number;
  /** The row runs up to here. */
  readonly upToMs: number;
  readonly revision: number;
  readonly place: CostPlace;
  /** Null for idle and system. */
  readonly owner: CostOwner | null;
  readonly resource: string;
  /** How it is priced. */
  readonly resourceKind: "cpu" | "memory" | "gpu";
  readonly costKind: CostRecordKind;
  readonly requested: bigint;
  readonly used: bigint;
  /** What the row is charged for; for idle and system, what is left. */
  readonly allocated: bigint;
  readonly cost: CostNanos;
  readonly currency: Currency;
  /** Share of the row's time that was seen, parts per million. */
  readonly coveragePpm: number;
}
