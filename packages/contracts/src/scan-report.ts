import type { ReportedError } from "./errors.ts";
import type { UnusedInput } from "./facts.ts";
import type { InventoryRecord } from "./inventory-record.ts";
import type { ResourceUnit } from "./units.ts";

export const API_VERSION = "plimsoll.dev/v1";

/** Why a node is out of numerator and denominator of whole-cluster figures; a node counts under the first that applies. */
export const EXCLUSION_REASONS = ["Virtual", "Deleting", "NotReady", "Cordoned", "ControlPlane"] as const;
export type ExclusionReason = (typeof EXCLUSION_REASONS)[number];

export const SEVERITIES = ["info", "warning", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Something a person should look at. `object` is `Kind/namespace/name` or `Kind/name`. */
export interface Finding {
  readonly code: string;
  readonly severity: Severity;
  readonly object: string;
  readonly message: string;
  readonly remedy: string;
}

/** One resource over the schedulable nodes; whole numbers of `unit`, rounded up once. `null` = unknown. */
export interface ResourceFigures {
  readonly unit: ResourceUnit;
  readonly capacity: bigint;
  readonly allocatable: bigint;
  readonly requested: bigint | null;
  /** Allocatable of the nodes that `requested` is over: the whole that a requested share is of. Null with `requested`. */
  readonly requestedAllocatable: bigint | null;
  readonly limits: bigint | null;
  /** At least one counted container has no limit, so `limits` is no upper bound. */
  readonly limitsPartial: boolean;
  /** Working set for memory. Sum over the schedulable nodes that reported it; `null` when none did. */
  readonly used: bigint | null;
  /**
   * Allocatable of the nodes behind `used`: the whole that a used share is of, so that the same nodes stand above and below
   * the line. Less than `allocatable` = some nodes did not report. Null with `used`.
   */
  readonly usedAllocatable: bigint | null;
  /** Requests of pods that wait for a node (phase Pending, no nodeName); not part of `requested`. */
  readonly pending: bigint | null;
}

export interface ExcludedNodes {
  readonly reason: ExclusionReason;
  readonly nodes: number;
  readonly capacity: Readonly<Record<string, bigint>>;
  readonly allocatable: Readonly<Record<string, bigint>>;
  readonly requested: Readonly<Record<string, bigint>> | null;
}

export interface CapacityReport {
  readonly nodes: {
    readonly total: number;
    readonly schedulable: number;
    readonly excluded: Readonly<Partial<Record<ExclusionReason, number>>>;
    /** Figures of the excluded nodes, by reason. */
    readonly excludedFigures: readonly ExcludedNodes[];
    /** Schedulable nodes that reported usage. */
    readonly reportingUsage: number;
  };
  readonly resources: Readonly<Record<string, ResourceFigures>>;
}

/** What one workload requests now, over the counted nodes: published units by resource. */
export interface WorkloadFigures {
  readonly namespace: string;
  readonly workload_type: string;
  readonly workload_name: string;
  readonly pods: number;
  readonly requested: Readonly<Record<string, bigint>>;
}

/** Money is a decimal string (`formatMoney`) per hour. Nodes only: volumes and load balancers are not in it yet. */
export interface CostGroup {
  readonly name: string;
  readonly hourly: string;
}

export interface CostReport {
  readonly currency: string;
  readonly hourly: {
    readonly total: string;
    readonly workloads: string;
    readonly idle: string;
    readonly system: string;
  };
  /** Sums to `hourly.total`: namespaces, then `__idle__` and `__system__`. */
  readonly byNamespace: readonly CostGroup[];
  /** Per label key (`cost-center`, `env`, `owner-team`), each sums to `hourly.total`; a missing key → `__unallocated__`. */
  readonly byLabel: Readonly<Record<string, readonly CostGroup[]>>;
  /** Nodes by source of their price (`default`, …) and by pricing (`on-demand`, `spot`). */
  readonly priceSources: Readonly<Record<string, number>>;
  readonly pricing: Readonly<Record<string, number>>;
  /** Nodes that could not be priced: their cost is missing from the total. */
  readonly unpricedNodes: readonly string[];
  /** What was charged: request only, or max(request, usage) where usage is known. */
  readonly basis: "max(request, usage)" | "request";
}

/** One cluster of the report. `capacity` or `cost` is null when unknown; the reason is in the report's `errors`. */
export interface ClusterReport {
  readonly inventory: InventoryRecord;
  readonly capacity: CapacityReport | null;
  readonly workloads: readonly WorkloadFigures[] | null;
  readonly cost: CostReport | null;
  readonly findings: readonly Finding[];
  readonly unused: readonly UnusedInput[];
}

export interface ClusterError extends ReportedError {
  readonly cluster: string;
}

export interface FleetTotals {
  readonly clusters: number;
  readonly clustersRead: number;
  readonly nodes: CapacityReport["nodes"] | null;
  readonly resources: Readonly<Record<string, ResourceFigures>>;
  /** Per currency: amounts of different currencies are never summed. */
  readonly cost: readonly {
    readonly currency: string;
    readonly hourly: CostReport["hourly"];
    readonly clusters: number;
  }[];
  readonly findings: Readonly<Record<Severity, number>>;
}

/** The answer of `plimsoll scan`. */
export interface ScanReport {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: "ScanReport";
  readonly asOf: string;
  readonly fleet: FleetTotals;
  readonly clusters: readonly ClusterReport[];
  readonly errors: readonly ClusterError[];
}
