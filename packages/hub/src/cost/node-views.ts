import { toPublishedUnit } from "@plimsoll/contracts";
import type { NodeView } from "@plimsoll/contracts/rest";
import { fromWireQuantity, type NodeRow } from "@plimsoll/contracts/wire";
import { namedClusters } from "../inventory/named-clusters.ts";
import type { ClusterScope } from "../store/cluster-scope.ts";
import type { Store } from "../store/store.ts";
import type { NodeSample } from "../warehouse/ask-samples.ts";
import { hourOf } from "../warehouse/fact-batch.ts";
import type { WarehouseReader } from "../warehouse/warehouse.ts";

const HOUR_MS = 3_600_000;
/** A window of five minutes, sent a minute later, missed twice. */
const SAMPLES_SINCE_MS = 20 * 60_000;

/** Nodes of the clusters in a scope as last sampled, by cluster and name. A figure that no recent sample has is null. */
export async function nodeViews(
  store: Store,
  warehouse: WarehouseReader,
  scope: ClusterScope,
  nowMs: number,
): Promise<readonly NodeView[]> {
  const clusters = await namedClusters(store, scope);
  const ids = [...clusters.values()].flatMap(({ id, isGone }) => (isGone ? [] : [id]));
  const nodes = await warehouse.currentNodes(ids, hourOf(nowMs) - HOUR_MS);
  const samples = await warehouse.nodeSamples(ids, nowMs - SAMPLES_SINCE_MS);
  const byNode = Map.groupBy(samples, ({ clusterId, nodeUid }) => `${clusterId} ${nodeUid}`);
  return nodes
    .map(({ clusterId, node }) => {
      const ofNode = byNode.get(`${clusterId} ${node.nodeUid}`) ?? [];
      return nodeView({ cluster: clusters.get(clusterId)?.name ?? clusterId, clusterId }, node, ofNode, nowMs);
    })
    .sort((a, b) => compare(a.cluster, b.cluster) || compare(a.name, b.name));
}

type Of = Pick<NodeView, "cluster" | "clusterId">;

function nodeView(of: Of, node: NodeRow, samples: readonly NodeSample[], nowMs: number): NodeView {
  const sample = (resource: string): NodeSample | undefined => samples.find((each) => each.resource === resource);
  const [cpu, memory] = [sample("cpu"), sample("memory")];
  return {
    ...of,
    name: node.nodeName,
    pool: node.pool,
    zone: node.zone,
    instanceType: node.instanceType,
    cpuAllocatable: whole("cpu", node.resources.get("cpu")?.allocatable),
    cpuRequested: whole("cpu", cpu?.requested),
    cpuUsed: whole("cpu", cpu?.usedAvg),
    memoryAllocatable: whole("memory", node.resources.get("memory")?.allocatable),
    memoryRequested: whole("memory", memory?.requested),
    memoryUsed: whole("memory", memory?.usedAvg),
    observedAt: new Date(observedAtMs(node, samples, nowMs)).toISOString(),
  };
}

/** The first window of a cluster is told while it runs: its reading is at least as young as the node's row. */
function observedAtMs({ asOfMs }: NodeRow, samples: readonly NodeSample[], nowMs: number): number {
  const endMs = Math.max(0, ...samples.map(endOf));
  if (endMs === 0) return asOfMs;
  if (endMs <= nowMs) return endMs;
  return Math.min(nowMs, Math.max(asOfMs, ...samples.map(({ windowStartMs }) => windowStartMs)));
}

function endOf({ windowStartMs, windowMs }: NodeSample): number {
  return windowStartMs + windowMs;
}

/** Wire units as whole published units. */
function whole(resource: string, quantity: bigint | number | null | undefined): string | null {
  if (quantity === null || quantity === undefined) return null;
  return toPublishedUnit(resource, fromWireQuantity(resource, BigInt(quantity))).toString();
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
