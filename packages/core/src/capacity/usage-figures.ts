import type { ResourceNanos } from "@plimsoll/contracts";

/** Usage that was read, nano-units by resource (cpu, memory working set). Who is missing here reported nothing: unknown, not zero. */
export interface UsageFigures {
  readonly nodes: ReadonlyMap<string, ResourceNanos>;
  /** By `podUsageKey`. */
  readonly pods: ReadonlyMap<string, ResourceNanos>;
}

/** Key of a pod in `UsageFigures.pods`. */
export function podUsageKey(namespace: string, pod: string): string {
  return `${namespace}/${pod}`;
}
