import type { QuantityTexts, ResourceNanos, Usage } from "@plimsoll/contracts";
import { podUsageKey, type UsageFigures } from "../capacity/usage-figures.ts";
import { refuseNegative } from "../nodes/refuse-negative.ts";
import { parseResources } from "../quantity/resource-nanos.ts";
import type { ErrorLog } from "./error-log.ts";

/** Parses usage; a node or pod whose figures are no quantities is reported and counts as not reporting. */
export function readUsage(usage: Usage, log: ErrorLog): UsageFigures {
  return {
    nodes: readAll(usage.nodes, log, ({ node, usage: texts }) => [node, `NodeMetrics/${node} usage`, texts]),
    pods: readAll(usage.pods, log, ({ namespace, pod, usage: texts }) => {
      const key = podUsageKey(namespace, pod);
      return [key, `PodMetrics/${key} usage`, texts];
    }),
  };
}

function readAll<T>(
  entries: readonly T[],
  log: ErrorLog,
  describe: (entry: T) => readonly [key: string, field: string, texts: QuantityTexts],
): ReadonlyMap<string, ResourceNanos> {
  const figures = new Map<string, ResourceNanos>();
  for (const entry of entries) {
    const [key, field, texts] = describe(entry);
    const resources = log.attempt(() => parsed(texts, field));
    if (resources) figures.set(key, resources);
  }
  return figures;
}

function parsed(texts: QuantityTexts, field: string): ResourceNanos {
  const resources = parseResources(texts, field);
  refuseNegative(resources, field);
  return resources;
}
