import type { CostField, CostGrouping, CostHour, CostSum } from "../../packages/hub/src/warehouse/ask-cost.ts";
import type { CostRecord } from "../../packages/hub/src/warehouse/cost-record.ts";

const FIELDS: Readonly<Record<CostField, (record: CostRecord) => string | null>> = {
  cluster: ({ place }) => place.clusterId,
  namespace: ({ owner }) => owner?.namespace ?? null,
  workload: ({ owner }) => owner && `${owner.workloadType}/${owner.workloadName}`,
  "workload-type": ({ owner }) => owner?.workloadType ?? null,
  node: ({ place }) => place.nodeName,
  "node-pool": ({ place }) => place.nodePool,
  "instance-type": ({ place }) => place.instanceType,
  region: ({ place }) => place.region,
  zone: ({ place }) => place.zone,
  "cost-center": ({ owner }) => owner?.costCenter ?? null,
  env: ({ owner }) => owner?.env ?? null,
  "owner-team": ({ owner }) => owner?.ownerTeam ?? null,
  pricing: ({ place }) => place.pricing,
};

/** Sums of the priced rows of some hours and revisions. */
export function costSums(
  records: readonly CostRecord[],
  hours: readonly CostHour[],
  { by, namespace }: CostGrouping,
): readonly CostSum[] {
  const wanted = new Set(
    hours.map(({ clusterId, hourStartMs, revision }) => `${clusterId} ${hourStartMs} ${revision}`),
  );
  const counted = records.filter(
    ({ place, hourStartMs, revision, owner }) =>
      wanted.has(`${place.clusterId} ${hourStartMs} ${revision}`) &&
      (namespace === null || owner?.namespace === namespace),
  );
  const valuesOf = (record: CostRecord) =>
    by.map((key) => ("field" in key ? FIELDS[key.field](record) : labelOf(record, key.label)));
  const groups = Map.groupBy(counted, (record) => JSON.stringify([valuesOf(record), record.costKind, record.currency]));
  return [...groups.values()].map((group) => {
    const [first] = group;
    const sum = (kind?: string) =>
      group.reduce((total, { cost, resourceKind }) => (kind && kind !== resourceKind ? total : total + cost), 0n);
    return {
      values: first ? valuesOf(first) : [],
      costKind: first?.costKind ?? "",
      currency: first?.currency ?? "",
      cpu: sum("cpu"),
      memory: sum("memory"),
      gpu: sum("gpu"),
      total: sum(),
    };
  });
}

function labelOf({ owner }: CostRecord, label: string): string | null {
  const labels: unknown = JSON.parse(owner?.labels ?? "{}");
  const value =
    typeof labels === "object" && labels !== null ? Object.entries(labels).find(([key]) => key === label) : undefined;
  return value === undefined ? null : String(value[1]);
}
