import type { NodeSample } from "../../packages/hub/src/warehouse/ask-samples.ts";
import { compare, newest, type Sent, senderVersion } from "./memory-warehouse.ts";

/** One window of a subject and resource; null = unknown. */
export interface SampleFact extends Omit<NodeSample, "clusterId" | "nodeUid"> {
  readonly scope: string;
  readonly subject: string;
}

/** The latest window of each node and resource that starts at or after `sinceMs`; the longer of two that start together. */
export function latestSamples(rows: readonly Sent<SampleFact>[], sinceMs: number): readonly NodeSample[] {
  const ofNodes = rows.filter(({ row }) => row.scope === "node" && row.windowStartMs >= sinceMs);
  const latest = newest(
    ofNodes,
    ({ key, row }) => [key.clusterId, row.subject, row.resource],
    ({ key, row }) => [row.windowStartMs, row.windowMs, ...senderVersion(key)],
  );
  return latest
    .map(({ key, row: { scope: _, subject, ...row } }) => ({ clusterId: key.clusterId, nodeUid: subject, ...row }))
    .sort((a, b) => compare([a.clusterId, a.nodeUid, a.resource], [b.clusterId, b.nodeUid, b.resource]));
}
