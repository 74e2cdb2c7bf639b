import type { NodeQuantities, NodeRow } from "@plimsoll/contracts/wire";
import { STALE_AFTER_MS } from "./ask-usage.ts";
import { type Duck, ofClusters } from "./duck.ts";
import { newestOf } from "./newest.ts";
import type { QueryRow } from "./query-row.ts";
import { readSegments, type SegmentFiles } from "./segment-reader.ts";

/** A node of a cluster in one hour. */
export interface ClusterNode {
  readonly clusterId: string;
  readonly node: NodeRow;
}

/** Nodes of the hours from `fromMs` to before `toMs`, the newest row of each (node, hour). */
export function askNodes(
  files: SegmentFiles,
  duck: Duck,
  clusterIds: readonly string[],
  fromMs: number,
  toMs: number,
): Promise<readonly ClusterNode[]> {
  const filter = { kind: "node", fromMs, toMs, clusterIds } as const;
  return readSegments<readonly ClusterNode[]>(files, filter, [], async (source) => {
    const where = `hour_start_ms >= ${fromMs} and hour_start_ms < ${toMs} and ${ofClusters(clusterIds)}`;
    const order = "cluster_id, hour_start_ms, node_uid, resource";
    const rows = await duck.query(`${newestOf("node", source, where)} order by ${order}`);
    const keyOf = (row: QueryRow): string =>
      `${row.text("cluster_id")}\n${row.number("hour_start_ms")}\n${row.text("node_uid")}`;
    return [...Map.groupBy(rows, keyOf).values()].flatMap(readNode);
  });
}

/** Nodes that exist now: as last heard of since `fromMs`, without those that were deleted or are heard of no more. */
export async function askCurrentNodes(
  files: SegmentFiles,
  duck: Duck,
  clusterIds: readonly string[],
  fromMs: number,
): Promise<readonly ClusterNode[]> {
  const rows = await askNodes(files, duck, clusterIds, fromMs, Number.MAX_SAFE_INTEGER);
  return [...Map.groupBy(rows, ({ clusterId }) => clusterId).values()].flatMap((ofCluster) => {
    const heardMs = ofCluster.reduce((latest, { node }) => Math.max(latest, node.asOfMs), 0);
    // Rows are in order of their hours, so the last one of a node is the newest.
    const newest = new Map(ofCluster.map((each) => [each.node.nodeUid, each]));
    return [...newest.values()].filter(({ node }) => node.deletedMs === null && node.asOfMs > heardMs - STALE_AFTER_MS);
  });
}

function readNode(rows: readonly QueryRow[]): readonly ClusterNode[] {
  const [row] = rows;
  if (row === undefined) return [];
  const resources = new Map<string, NodeQuantities>();
  for (const each of rows) {
    const resource = each.textOrNull("resource");
    if (resource === null) continue;
    resources.set(resource, { capacity: each.big("capacity"), allocatable: each.big("allocatable") });
  }
  return [{ clusterId: row.text("cluster_id"), node: readFields(row, resources) }];
}

function readFields(row: QueryRow, resources: ReadonlyMap<string, NodeQuantities>): NodeRow {
  return {
    nodeUid: row.text("node_uid"),
    hourStartMs: row.number("hour_start_ms"),
    asOfMs: row.number("as_of_ms"),
    nodeName: row.text("node_name"),
    createdMs: row.number("created_ms"),
    deletedMs: row.numberOrNull("deleted_ms"),
    instanceType: row.textOrNull("instance_type"),
    region: row.textOrNull("region"),
    zone: row.textOrNull("zone"),
    pool: row.textOrNull("pool"),
    machineDeployment: row.textOrNull("machine_deployment"),
    providerId: row.textOrNull("provider_id"),
    spot: row.flag("spot"),
    virtual: row.flag("virtual"),
    presentMs: row.number("present_ms"),
    schedulableMs: row.number("schedulable_ms"),
    resources,
  };
}
