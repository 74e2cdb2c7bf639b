import type { ClusterFacts } from "@plimsoll/contracts";
import {
  type ClusterLook,
  createSampleWindows,
  createUsageMeter,
  indexOwners,
  type MeterCheckpoint,
  namespaceLabels,
  podAttribution,
} from "@plimsoll/core";
import type { RoundRows } from "./fact-delivery.ts";

/** Turns the collections of one cluster into rows. */
export interface ClusterMeter {
  /** Takes one collection in. `labels` are the cluster's own. */
  observe(facts: ClusterFacts, look: ClusterLook, labels: Readonly<Record<string, string>>): void;
  /** What is new since the last time, with the checkpoint to keep before it is delivered. */
  take(nowMs: number): { readonly rows: RoundRows; readonly checkpoint: MeterCheckpoint };
}

/** A reading of usage holds this many rounds: one may be missed. */
const HOLD_ROUNDS = 2.5;

/** A meter for rounds of this length, going on from a checkpoint. */
export function createClusterMeter(intervalMs: number, resume: MeterCheckpoint | undefined): ClusterMeter {
  let attribute: Parameters<typeof createUsageMeter>[0]["attribute"] = (pod) =>
    podAttribution(pod, { find: () => undefined }, { namespaces: new Map(), cluster: {} });
  const meter = createUsageMeter({
    mode: "pull",
    attribute: (pod) => attribute(pod),
    usageHoldMs: intervalMs * HOLD_ROUNDS,
    ...(resume && { resume }),
  });
  const windows = createSampleWindows();
  return {
    observe({ objects, usage, asOf }, { loads }, cluster) {
      const owners = indexOwners(objects);
      const namespaces = namespaceLabels(objects.namespaces.known ? objects.namespaces.value : []);
      attribute = (pod) => podAttribution(pod, owners, { namespaces, cluster });
      if (objects.nodes.known) meter.observeNodes(objects.nodes.value, Date.parse(objects.nodes.observedAt));
      if (objects.pods.known) meter.observePods(objects.pods.value, Date.parse(objects.pods.observedAt));
      if (usage.known) meter.observeUsage(usage.value, Date.parse(usage.observedAt));
      windows.observe(loads, Date.parse(asOf));
    },
    take(nowMs) {
      const { usage, nodes } = meter.flush();
      return { rows: { usage, nodes, samples: windows.take(nowMs) }, checkpoint: meter.checkpoint() };
    },
  };
}
