import type { DynamicFacts, DynamicLayer, ResourceReadState } from "@plimsoll/contracts/wire";
import { LAYER_SOURCES } from "./field-sources.ts";

type Field = keyof DynamicLayer;
/** Lists of all values, which stand beside the value that is shown: both are kept, or none. */
const BESIDE: { readonly [F in Field]?: Field } = {
  k8s_version: "k8s_versions",
  kubelet_version: "kubelet_versions",
  node_os_version: "node_os_versions",
  container_runtime_version: "container_runtime_versions",
};

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
  for (const field of Object.keys(LAYER_SOURCES).filter(isField)) {
    if (next[field] !== null || !LAYER_SOURCES[field]?.some((source) => unread.has(source))) continue;
    copyField(last, kept, field);
    const beside = BESIDE[field];
    if (beside) copyField(last, kept, beside);
  }
  return kept;
}

function isField(name: string): name is Field {
  return Object.hasOwn(LAYER_SOURCES, name);
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
