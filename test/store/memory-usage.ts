import type { UsageIntegrals, UsageRow } from "@plimsoll/contracts/wire";
import type { RunningGroup, UsageGroup } from "../../packages/hub/src/warehouse/ask-usage.ts";
import type { GroupBase } from "../../packages/hub/src/warehouse/usage-groups.ts";
import type { Sent } from "./memory-warehouse.ts";

const NOTHING: UsageIntegrals = { request: 0n, usage: 0n, charged: 0n, usageCoveredMs: 0 };

interface Part {
  readonly clusterId: string;
  readonly row: UsageRow;
  readonly resource: string | null;
  readonly integrals: UsageIntegrals;
}

/** Usage summed over pods that nothing tells apart. */
export function usageGroups(rows: readonly Sent<UsageRow>[]): readonly UsageGroup[] {
  return groupsOf(rows).map((group) => ({
    ...baseOf(group),
    billedMs: group.reduce((sum, { row }) => sum + row.billedMs, 0),
    unseenMs: group.reduce((sum, { row }) => sum + row.unseenMs, 0),
    request: group.reduce((sum, { integrals }) => sum + integrals.request, 0n),
    usage: group.reduce((sum, { integrals }) => sum + integrals.usage, 0n),
    charged: group.reduce((sum, { integrals }) => sum + integrals.charged, 0n),
  }));
}

/** Averages of the pods that run: open when last heard of, and heard of while others were. */
export function runningGroups(rows: readonly Sent<UsageRow>[], staleMs: number): readonly RunningGroup[] {
  const heard = new Map<string, number>();
  for (const { key, row } of rows) heard.set(key.clusterId, Math.max(heard.get(key.clusterId) ?? 0, row.asOfMs));
  const open = rows.filter(
    ({ key, row }) =>
      row.intervalEndMs === null && row.billedMs > 0 && row.asOfMs > (heard.get(key.clusterId) ?? 0) - staleMs,
  );
  return groupsOf(open).map((group) => {
    const used = group.flatMap(({ integrals }) =>
      integrals.usageCoveredMs > 0 ? [average(integrals.usage, integrals.usageCoveredMs)] : [],
    );
    return {
      ...baseOf(group),
      requested: group.reduce((sum, { row, integrals }) => sum + average(integrals.request, row.billedMs), 0n),
      used: used.length === 0 ? null : used.reduce((sum, each) => sum + each, 0n),
      charged: group.reduce((sum, { row, integrals }) => sum + average(integrals.charged, row.billedMs), 0n),
    };
  });
}

function average(integral: bigint, ms: number): bigint {
  return (integral * 1000n + BigInt(Math.floor(ms / 2))) / BigInt(ms);
}

function groupsOf(rows: readonly Sent<UsageRow>[]): readonly (readonly Part[])[] {
  const parts = rows.flatMap(({ key: { clusterId }, row }) => {
    const resources = row.resources.size > 0 ? [...row.resources] : ([[null, NOTHING]] as const);
    return resources.map(([resource, integrals]): Part => ({ clusterId, row, resource, integrals }));
  });
  const groups = Map.groupBy(parts, (part) => {
    const { owner, place, resource } = baseOf([part]);
    return JSON.stringify([owner.key, place, resource]);
  });
  return [...groups.values()];
}

function baseOf(group: readonly Part[]): GroupBase {
  const [first] = group;
  if (first === undefined) throw new TypeError("an empty group");
  const { clusterId, row, resource } = first;
  const { attribution } = row;
  const sorted = Object.entries(attribution.labels).sort(([a], [b]) => (a < b ? -1 : 1));
  const owner = {
    namespace: attribution.namespace,
    workloadType: attribution.workloadType,
    workloadName: attribution.workloadName,
    costCenter: attribution.costCenter,
    env: attribution.env,
    ownerTeam: attribution.ownerTeam,
    labelSource: attribution.labelSource,
    labels: JSON.stringify(Object.fromEntries(sorted)),
    mode: row.mode,
  };
  return {
    owner: { ...owner, key: JSON.stringify(Object.values(owner)) },
    place: { clusterId, nodeUid: row.nodeUid, nodeName: row.nodeName },
    resource,
    pods: group.length,
    asOfMs: Math.max(...group.map(({ row: { asOfMs } }) => asOfMs)),
  };
}
