import type { CostGroup, CostReport, ScanReport } from "@plimsoll/contracts";
import { sumAmounts } from "../../format/money.ts";

/** A way to split the fleet's cost: by a label, or by namespace where no label says anything. */
export interface CostSplit {
  readonly title: string;
  readonly groups: readonly CostGroup[];
}

const REMAINDER = /^__\w+__$/;
const LABELS = ["cost-center", "owner-team", "env"];

/**
 * Whom the clusters of one currency cost: by the first of the labels cost-center, owner-team and env that any workload
 * carries, else by namespace. Groups of all clusters are added up by name, so they sum to the fleet's total.
 */
export function whomItCosts(report: ScanReport, currency: string): CostSplit {
  const costs = report.clusters.flatMap(({ cost }) => (cost?.currency === currency ? [cost] : []));
  for (const label of LABELS) {
    const groups = addUp(costs, (cost) => cost.byLabel[label]);
    if (groups?.some(({ name }) => !REMAINDER.test(name))) return { title: `By label ${label}`, groups };
  }
  return { title: "By namespace", groups: addUp(costs, (cost) => cost.byNamespace) ?? [] };
}

/** Undefined when a cluster lacks the split, as the sums would then not add up to the fleet's. */
function addUp(
  costs: readonly CostReport[],
  of: (cost: CostReport) => readonly CostGroup[] | undefined,
): CostGroup[] | undefined {
  const amounts = new Map<string, string[]>();
  for (const cost of costs) {
    const groups = of(cost);
    if (groups === undefined) return undefined;
    for (const { name, hourly } of groups) amounts.set(name, [...(amounts.get(name) ?? []), hourly]);
  }
  return [...amounts].map(([name, parts]) => ({ name, hourly: sumAmounts(parts) }));
}
