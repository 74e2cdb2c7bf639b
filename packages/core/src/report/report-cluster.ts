import type { ClusterError, ClusterFacts, ClusterReport } from "@plimsoll/contracts";
import { clusterCapacity } from "../capacity/cluster-capacity.ts";
import { workloadFigures } from "../capacity/workload-figures.ts";
import { allocateCluster, type CostOptions } from "../cost/allocate-cluster.ts";
import { namespaceLabels } from "../cost/cost-labels.ts";
import { costReport } from "../cost/cost-report.ts";
import { findAll } from "../findings/find-all.ts";
import { clusterHealth } from "../inventory/cluster-health.ts";
import { inventoryRecord } from "../inventory/inventory-record.ts";
import { systemFailures } from "../inventory/system-failures.ts";
import type { NodeOptions } from "../nodes/node-state.ts";
import { createErrorLog } from "./error-log.ts";
import { readCluster } from "./read-cluster.ts";

/** Choices about a report. */
export interface ReportOptions extends NodeOptions, CostOptions {
  /** Labels of the cluster itself, used where pod, workload and namespace have none. Default: none. */
  readonly clusterLabels?: Readonly<Record<string, string>>;
}

/** One cluster's row and what could not be read or understood of it. */
export interface ClusterResult {
  readonly report: ClusterReport;
  readonly errors: readonly ClusterError[];
}

/**
 * The report of one cluster: what it is, how full it is, what it costs and whom. What could not be read makes the figures
 * that need it null, with the reason in `errors`; it never takes the rest along. Pure: the same facts, the same report.
 */
export function reportCluster(facts: ClusterFacts, options: ReportOptions = {}): ClusterResult {
  const log = createErrorLog(facts.name);
  const { nodes, pods, usage, owners } = readCluster(facts, options, log);
  const { namespaces, pods: podObjects } = facts.objects;
  const labels = {
    namespaces: namespaceLabels(namespaces.known ? namespaces.value : []),
    cluster: options.clusterLabels ?? {},
  };
  const failures = systemFailures(podObjects.known ? podObjects.value : [], owners);

  // Figures over no nodes at all would be zeros that say nothing: they are unknown.
  const counted = nodes?.length ? nodes : null;
  const capacity = counted && clusterCapacity({ nodes: counted, pods, usage });
  const workloads = counted && pods && workloadFigures(pods, counted);
  const allocation = counted && pods && allocateCluster(counted, pods, usage, options);
  const basis = usage?.pods.size ? "max(request, usage)" : "request";

  return {
    report: {
      inventory: inventoryRecord(facts, nodes, clusterHealth(facts, nodes, failures)),
      capacity,
      workloads,
      cost: allocation && costReport(allocation, labels, basis),
      findings: findAll({ facts, nodes: counted, pods, usage, capacity, allocation, labels, failures }),
      unused: facts.unused.filter(({ resource }) => resource === undefined),
    },
    errors: log.all(),
  };
}
