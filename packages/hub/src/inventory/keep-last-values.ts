import type { DynamicFacts, DynamicLayer, ResourceReadState } from "@plimsoll/contracts/wire";

type Field = keyof DynamicLayer;
const NODES = ["nodes"] as const;
const ADD_ONS = ["daemonsets", "deployments"] as const;

/** What fields are made of, with the list of all values that stands beside one. Fields not named are the agent's own. */
const SOURCES: readonly (readonly [field: Field, sources: readonly string[], beside?: Field])[] = [
  ["k8s_version", ["version"], "k8s_versions"],
  ["kubelet_version", NODES, "kubelet_versions"],
  ["node_os_version", NODES, "node_os_versions"],
  ["container_runtime_version", NODES, "container_runtime_versions"],
  ["kube_proxy_version", ADD_ONS],
  ["coredns_version", ADD_ONS],
  ["cni", ADD_ONS],
  ["cni_version", ADD_ONS],
  ["csi_drivers", ADD_ONS],
  ["ingress", ADD_ONS],
  ["ingress_version", ADD_ONS],
  ["node_count", NODES],
  ["node_count_ready", NODES],
  ["node_count_not_ready", NODES],
  ["node_count_cordoned", NODES],
  ["node_count_virtual", NODES],
  ["node_count_spot", NODES],
  ["total_cpu_cores", NODES],
  ["total_memory_gb", NODES],
  ["total_gpus", NODES],
  ["total_pods", NODES],
  ["total_storage_gb", NODES],
];

/** The part of a cluster's record that a report replaces. */
export type Reported = Pick<DynamicFacts, "layer" | "capacity" | "detected" | "resourceStates">;

/**
 * The report with last values in the places of those that it could not read: a list that failed keeps what was known, marked
 * stale by its read state; it never becomes 0 or nothing. A field that was read and is not there any more does go.
 */
export function keepLastValues(last: Reported | null, next: Reported): Reported {
  if (last === null) return next;
  const unread = new Set(next.resourceStates.filter(isUnread).map(({ resource }) => resource));
  if (unread.size === 0) return next;
  const noNodes = unread.has("nodes");
  return {
    layer: keepFields(last.layer, next.layer, unread),
    capacity: next.capacity ?? (noNodes || unread.has("pods") ? last.capacity : null),
    detected: noNodes ? { ...last.detected, api_server_endpoint: next.detected.api_server_endpoint } : next.detected,
    resourceStates: next.resourceStates.map((state) => markStale(state, last.resourceStates)),
  };
}

function keepFields(last: DynamicLayer, next: DynamicLayer, unread: ReadonlySet<string>): DynamicLayer {
  const kept = { ...next };
  for (const [field, sources, beside] of SOURCES) {
    if (next[field] !== null || !sources.some((source) => unread.has(source))) continue;
    copyField(last, kept, field);
    if (beside) copyField(last, kept, beside);
  }
  return kept;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function copyField<F extends Field>(from: DynamicLayer, to: Writable<DynamicLayer>, field: F): void {
  to[field] = from[field];
}

/** Read before and not now: its values are of then. */
function markStale(state: ResourceReadState, last: readonly ResourceReadState[]): ResourceReadState {
  if (state.state !== "unreadable") return state;
  const before = last.find(({ resource }) => resource === state.resource)?.observedAtMs ?? null;
  return before === null ? state : { ...state, state: "stale", observedAtMs: before };
}

function isUnread({ state }: ResourceReadState): boolean {
  return state === "unreadable" || state === "stale";
}
