import type { ClusterView } from "@plimsoll/contracts/rest";
import { type ClusterPlan, planCluster } from "./cluster-plan.ts";
import { inventedCost, inventedWatermarks } from "./invented-figures.ts";
import { inventedRecord } from "./invented-record.ts";

/** Cluster number `index` of the invented fleet as the hub would show it at `nowMs`. The same number gives the same cluster. */
export function inventedCluster(index: number, nowMs: number, simulated: boolean): ClusterView {
  const plan = planCluster(index);
  const { condition, silentSeconds } = plan;
  const at = (seconds: number) => new Date(nowMs - seconds * 1000).toISOString();
  const state = condition === "late" || condition === "offline" || condition === "never-seen" ? condition : "online";
  const shared = {
    id: plan.id,
    name: plan.name,
    mode: index % 10 === 4 ? ("pull" as const) : ("push" as const),
    record: inventedRecord(plan, state, nowMs),
    simulated,
  };
  const beat = { beatSeconds: 30, lateAfterSeconds: 60, unknownAfterSeconds: 120 };
  if (state === "never-seen") {
    const connectivity = { ...beat, state, since: at(900), lastBeatAt: null };
    return { ...shared, connectivity, nodes: null, watermarks: null, observedAt: null, receivedAt: null, cost: null };
  }
  const since = at(Math.max(silentSeconds - 60, state === "online" ? 86_400 : 0));
  return {
    ...shared,
    connectivity: { ...beat, state, since, lastBeatAt: at(silentSeconds) },
    nodes: nodesOf(plan),
    watermarks: inventedWatermarks(plan),
    observedAt: at(silentSeconds + 31),
    receivedAt: at(silentSeconds + 30),
    cost: inventedCost(plan, at(silentSeconds)),
  };
}

function nodesOf({ nodes, condition, usage }: ClusterPlan): ClusterView["nodes"] {
  const out = condition === "degraded" ? 2 : 0;
  const schedulable = nodes - out;
  return {
    total: nodes,
    schedulable,
    reportingUsage: usage === null ? 0 : schedulable,
    excluded: out > 0 ? { NotReady: 1, Cordoned: 1 } : {},
  };
}
