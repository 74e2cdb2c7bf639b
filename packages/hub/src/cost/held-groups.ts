import type { NodeRow } from "@plimsoll/contracts/wire";
import type { GroupBase, UsageOwner } from "../warehouse/usage-groups.ts";
import { NodeIndex } from "./wire-node.ts";

/** What one owner holds on one node: a group for each resource. */
export interface HeldGroups<Group extends GroupBase> {
  readonly owner: UsageOwner;
  readonly groups: readonly Group[];
}

/** Groups of usage by the node that they were on. */
export interface GroupsByNode<Group extends GroupBase> {
  /** By UID of the node; owners in an order that does not depend on the order of the groups. */
  readonly byNode: ReadonlyMap<string, readonly HeldGroups<Group>[]>;
  /** Names of nodes that only pods speak of. */
  readonly unknownNodes: ReadonlySet<string>;
}

/** Joins usage and nodes: by UID, else by name. */
export function groupByNode<Group extends GroupBase>(
  nodes: readonly NodeRow[],
  usage: readonly Group[],
): GroupsByNode<Group> {
  const index = new NodeIndex(nodes);
  const found = Map.groupBy(usage, ({ place }) => index.find(place)?.nodeUid ?? null);
  const unknownNodes = new Set((found.get(null) ?? []).map(({ place }) => place.nodeName));
  const byNode = new Map<string, readonly HeldGroups<Group>[]>();
  for (const [nodeUid, groups] of found) if (nodeUid !== null) byNode.set(nodeUid, byOwner(groups));
  return { byNode, unknownNodes };
}

function byOwner<Group extends GroupBase>(groups: readonly Group[]): readonly HeldGroups<Group>[] {
  return [...Map.groupBy(groups, ({ owner }) => owner)]
    .map(([owner, ofOwner]) => ({ owner, groups: ofOwner }))
    .sort((a, b) => (a.owner.key < b.owner.key ? -1 : 1));
}

/** Sums of a figure by resource; pods without any resource hold nothing. */
export function sumsByResource<Group extends GroupBase>(
  { groups }: HeldGroups<Group>,
  of: (group: Group, resource: string) => bigint,
): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const group of groups) {
    const { resource } = group;
    if (resource !== null) sums.set(resource, (sums.get(resource) ?? 0n) + of(group, resource));
  }
  return sums;
}
