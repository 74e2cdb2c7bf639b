import {
  type CapacityReport,
  type ClusterReport,
  type CostReport,
  EXCLUSION_REASONS,
  type ExcludedNodes,
  type FleetTotals,
  formatMoney,
  parseMoney,
  type ResourceFigures,
  type Severity,
} from "@plimsoll/contracts";

/**
 * Totals over clusters, each counted once. A cluster that cannot say a figure is missing from its sum, and from the
 * allocatable beside it (`requestedAllocatable`, `usedAllocatable`), so that a share never mixes two sets of clusters.
 */
export function fleetTotals(clusters: readonly ClusterReport[], read: number): FleetTotals {
  const capacities = clusters.flatMap(({ capacity }) => capacity ?? []);
  return {
    clusters: clusters.length,
    clustersRead: read,
    nodes: capacities.length === 0 ? null : sumNodes(capacities.map(({ nodes }) => nodes)),
    resources: sumResourceFigures(capacities),
    cost: sumCosts(clusters.flatMap(({ cost }) => cost ?? [])),
    findings: countFindings(clusters),
  };
}

/** Nodes of several clusters together. */
export function sumNodes(all: readonly CapacityReport["nodes"][]): CapacityReport["nodes"] {
  const excludedFigures = EXCLUSION_REASONS.flatMap((reason) => {
    const same = all.flatMap((nodes) => nodes.excludedFigures.filter((figures) => figures.reason === reason));
    return same.length === 0 ? [] : [sumExcluded(reason, same)];
  });
  return {
    total: sumNumbers(all.map((nodes) => nodes.total)),
    schedulable: sumNumbers(all.map((nodes) => nodes.schedulable)),
    excluded: Object.fromEntries(excludedFigures.map(({ reason, nodes }) => [reason, nodes])),
    excludedFigures,
    reportingUsage: sumNumbers(all.map((nodes) => nodes.reportingUsage)),
  };
}

function sumExcluded(reason: ExcludedNodes["reason"], all: readonly ExcludedNodes[]): ExcludedNodes {
  const requested = all.map((figures) => figures.requested);
  return {
    reason,
    nodes: sumNumbers(all.map((figures) => figures.nodes)),
    capacity: sumRecords(all.map((figures) => figures.capacity)),
    allocatable: sumRecords(all.map((figures) => figures.allocatable)),
    requested: requested.every((record) => record !== null) ? sumRecords(requested) : null,
  };
}

function sumRecords(all: readonly Readonly<Record<string, bigint>>[]): Readonly<Record<string, bigint>> {
  // Not an object: a resource may be named as something that every object has ("constructor").
  const total = new Map<string, bigint>();
  for (const record of all) {
    for (const [name, amount] of Object.entries(record)) total.set(name, (total.get(name) ?? 0n) + amount);
  }
  return Object.fromEntries(total);
}

/** Figures of several clusters together: what one cannot say is missing from the sum and from the whole beside it. */
export function sumResourceFigures(capacities: readonly CapacityReport[]): Readonly<Record<string, ResourceFigures>> {
  const total = new Map<string, ResourceFigures>();
  for (const { resources } of capacities) {
    for (const [name, figures] of Object.entries(resources)) {
      const held = total.get(name);
      total.set(name, held ? addFigures(held, figures) : figures);
    }
  }
  return Object.fromEntries(total);
}

function addFigures(a: ResourceFigures, b: ResourceFigures): ResourceFigures {
  return {
    unit: a.unit,
    capacity: a.capacity + b.capacity,
    allocatable: a.allocatable + b.allocatable,
    requested: addReported(a.requested, b.requested),
    requestedAllocatable: addReported(a.requestedAllocatable, b.requestedAllocatable),
    limits: addReported(a.limits, b.limits),
    limitsPartial: a.limitsPartial || b.limitsPartial,
    used: addReported(a.used, b.used),
    usedAllocatable: addReported(a.usedAllocatable, b.usedAllocatable),
    pending: addReported(a.pending, b.pending),
  };
}

/** Unknown enters no sum: what is known is added, and is unknown only when nobody knows it. */
function addReported(a: bigint | null, b: bigint | null): bigint | null {
  return a === null || b === null ? (a ?? b) : a + b;
}

function sumCosts(costs: readonly CostReport[]): FleetTotals["cost"] {
  return [...Map.groupBy(costs, ({ currency }) => currency)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, same]) => ({ currency, hourly: sumHourly(same), clusters: same.length }));
}

function sumHourly(costs: readonly CostReport[]): CostReport["hourly"] {
  const total = (part: keyof CostReport["hourly"]): string =>
    formatMoney(costs.reduce((sum, { hourly }) => sum + (parseMoney(hourly[part]) ?? 0n), 0n));
  return { total: total("total"), workloads: total("workloads"), idle: total("idle"), system: total("system") };
}

function countFindings(clusters: readonly ClusterReport[]): Readonly<Record<Severity, number>> {
  const counts = { info: 0, warning: 0, critical: 0 };
  for (const { severity } of clusters.flatMap(({ findings }) => findings)) counts[severity] += 1;
  return counts;
}

function sumNumbers(all: readonly number[]): number {
  return all.reduce((sum, value) => sum + value, 0);
}
