import type { UsageOwner } from "../warehouse/ask-usage.ts";

/** Groups of usage of one owner, whatever their resource. */
export interface OwnedGroups<Group extends UsageOwner> {
  readonly key: string;
  readonly owner: UsageOwner;
  readonly groups: readonly Group[];
}

/** Groups by owner, in an order that does not depend on the order of the groups. */
export function byOwner<Group extends UsageOwner>(groups: readonly Group[]): readonly OwnedGroups<Group>[] {
  return [...Map.groupBy(groups, ownerKey)]
    .flatMap(([key, ofOwner]) => (ofOwner[0] ? [{ key, owner: ofOwner[0], groups: ofOwner }] : []))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

function ownerKey(owner: UsageOwner): string {
  return JSON.stringify([
    owner.namespace,
    owner.workloadType,
    owner.workloadName,
    owner.costCenter,
    owner.env,
    owner.ownerTeam,
    owner.labelSource,
    owner.labels,
    owner.mode,
    owner.nodeUid,
    owner.nodeName,
  ]);
}
