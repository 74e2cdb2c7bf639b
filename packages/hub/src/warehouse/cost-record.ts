import type { CostNanos, Currency } from "@plimsoll/contracts";

/** The kinds of priced rows that this release makes. */
export type CostRecordKind = "workload" | "idle" | "system";

/**
 * One priced row: cluster × node × namespace × workload × attribution × pricing × cost kind × resource × hour. Source of the
 * fields: the cost record of the cost rules. Integrals are wire units × seconds.
 */
export interface CostRecord {
  readonly clusterId: string;
  readonly hourStartMs: number;
  /** The row runs up to here. */
  readonly upToMs: number;
  readonly revision: number;
  readonly nodeUid: string;
  readonly nodeName: string;
  readonly nodePool: string | null;
  readonly machineDeployment: string | null;
  /** `spec.providerID`, raw. */
  readonly instanceId: string | null;
  readonly instanceType: string | null;
  readonly region: string | null;
  readonly zone: string | null;
  /** Null for idle and system. */
  readonly namespace: string | null;
  readonly workloadType: string | null;
  readonly workloadName: string | null;
  readonly costCenter: string | null;
  readonly env: string | null;
  readonly ownerTeam: string | null;
  readonly labelSource: string;
  /** JSON text of the label set. */
  readonly labels: string;
  readonly mode: string | null;
  readonly resource: string;
  /** How it is priced: `cpu`, `memory` or `gpu`. */
  readonly resourceKind: "cpu" | "memory" | "gpu";
  readonly costKind: CostRecordKind;
  readonly pricing: string;
  readonly priceSource: string;
  readonly requested: bigint;
  readonly used: bigint;
  /** What the row is charged for; for idle and system, what is left. */
  readonly allocated: bigint;
  readonly cost: CostNanos;
  readonly currency: Currency;
  /** Share of the row's time that was seen, parts per million. */
  readonly coveragePpm: number;
}
