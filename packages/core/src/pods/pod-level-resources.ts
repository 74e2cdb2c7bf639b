import type { KubePod, QuantityNanos, ResourceNanos } from "@plimsoll/contracts";
import { effectiveResources, type ResourceColumn } from "./container-resources.ts";

/**
 * Pod-level resources that replace the sum over containers: those named in the pod's spec among cpu, memory and
 * hugepages-*, with in-place resize considered. Empty when the pod has none.
 */
export function podLevelResources(pod: KubePod, column: ResourceColumn): ResourceNanos {
  const spec = pod.spec.resources?.[column];
  if (!spec) return new Map();
  // Upstream falls back to the spec where the status names no pod-level limits at all, even in an infeasible resize.
  const status = column === "limits" && !pod.status?.resources?.limits ? undefined : pod.status;
  const effective = effectiveResources(pod, column, { spec, specField: "spec", status, statusField: "status" });
  const level = new Map<string, QuantityNanos>();
  for (const name of Object.keys(spec)) {
    if (isPodLevelResource(name)) level.set(name, effective.get(name) ?? 0n);
  }
  return level;
}

function isPodLevelResource(name: string): boolean {
  return name === "cpu" || name === "memory" || name.startsWith("hugepages-");
}
