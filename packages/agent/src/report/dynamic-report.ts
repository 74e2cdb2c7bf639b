import type { DynamicReport, ResourceReadState } from "@plimsoll/contracts/wire";
import { toDynamicReport } from "@plimsoll/contracts/wire";
import type { ClusterLook } from "@plimsoll/core";

/** What a report is made of besides the look at the cluster. */
export interface ReportContext {
  /** Hub time, milliseconds. */
  readonly nowMs: number;
  readonly states: readonly ResourceReadState[];
  /** Why the API server calls itself not ready; null = it does not. */
  readonly unhealthy: string | null;
}

/** The message that tells the hub of a look at the cluster. */
export function dynamicReportOf(look: ClusterLook, { nowMs, states, unhealthy }: ReportContext): DynamicReport {
  const { layer } = look;
  return toDynamicReport({
    observedAtMs: nowMs,
    layer:
      unhealthy === null
        ? layer
        : { ...layer, health_status: "unhealthy", health_reasons: [unhealthy, ...layer.health_reasons] },
    capacity: look.capacity,
    resourceStates: states,
    detected: look.detected,
  });
}

/** What of a look is told at once when it changes: versions, the set of nodes and their states, health. */
export function changeSign({ layer, capacity }: ClusterLook, unhealthy: string | null): string {
  const { agent_version: _, ...told } = layer;
  return JSON.stringify([
    told,
    capacity?.nodes.total,
    capacity?.nodes.schedulable,
    capacity?.nodes.excluded,
    unhealthy,
  ]);
}
