import type { CapacityReport, ClusterFacts } from "@plimsoll/contracts";
import type { PodDemand } from "../capacity/pod-demand.ts";
import type { UsageFigures } from "../capacity/usage-figures.ts";
import type { Allocation } from "../cost/allocate-cluster.ts";
import type { LabelSources } from "../cost/cost-labels.ts";
import type { SystemFailure } from "../inventory/system-failures.ts";
import type { NodeFacts } from "../nodes/node-facts.ts";

/** What the checks look at: what was read of one cluster and what was computed from it. `null` = unknown: nothing is found in it. */
export interface FindingInput {
  readonly facts: ClusterFacts;
  readonly nodes: readonly NodeFacts[] | null;
  readonly pods: readonly PodDemand[] | null;
  readonly usage: UsageFigures | null;
  readonly capacity: CapacityReport | null;
  readonly allocation: Allocation | null;
  readonly labels: LabelSources;
  readonly failures: readonly SystemFailure[];
}
