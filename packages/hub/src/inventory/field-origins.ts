import type { FieldOrigin } from "@plimsoll/contracts/rest";
import type { ResourceReadState } from "@plimsoll/contracts/wire";
import type { KnownCluster } from "./cluster-view.ts";
import { DETECTED_SOURCES, LAYER_SOURCES } from "./field-sources.ts";
import { baseLayer, flatRecord, toInstant } from "./flat-record.ts";

/** From bad to good: a field is as well read as the worst of what it is made of. */
const WORST_FIRST = ["unreadable", "stale", "unknown", "current"] as const;
/** Said with the record itself. */
const TIMES: ReadonlySet<string> = new Set(["observed_at", "received_at"]);
/** What the hub knows by itself, as it is now. */
const OWN: ReadonlySet<string> = new Set(["credential_expires_at", "resource_version"]);

/** Source and age of every field of a cluster's record. */
export function fieldOrigins(cluster: KnownCluster, nowMs: number): Record<string, FieldOrigin> {
  const fields = Object.keys(flatRecord(cluster.entry, cluster.heard)).filter((field) => !TIMES.has(field));
  return Object.fromEntries(fields.map((field) => [field, originOf(field, cluster, nowMs)]));
}

function originOf(field: string, cluster: KnownCluster, nowMs: number): FieldOrigin {
  const { entry, heard } = cluster;
  if (field === "connectivity") return ofHub(heard.lastBeatAtMs ?? heard.sinceMs);
  if (OWN.has(field)) return ofHub(nowMs);
  if (field === "health_status" || field === "health_reasons") {
    return heard.state === "offline" ? ofHub(heard.sinceMs) : reported(cluster, []);
  }
  if (isOf(field, baseLayer(entry)) && !Object.hasOwn(entry.base, field)) {
    return reported(cluster, isOf(field, DETECTED_SOURCES) ? (DETECTED_SOURCES[field] ?? []) : []);
  }
  if (isOf(field, LAYER_SOURCES)) return reported(cluster, LAYER_SOURCES[field] ?? []);
  return field === "agent_version" ? reported(cluster, []) : registered(entry.createdAtMs);
}

function isOf<T extends object>(field: string, of: T): field is keyof T & string {
  return Object.hasOwn(of, field);
}

function ofHub(atMs: number): FieldOrigin {
  return { source: "hub", resources: [], state: "current", observedAt: toInstant(atMs), receivedAt: toInstant(atMs) };
}

function registered(atMs: number): FieldOrigin {
  return { ...ofHub(atMs), source: "registry" };
}

function reported({ entry }: KnownCluster, resources: readonly string[]): FieldOrigin {
  const states = entry.readStates.filter(({ resource }) => resources.includes(resource));
  return {
    source: entry.mode === "push" ? "agent" : "pull",
    resources: [...resources],
    state: entry.layer === null ? "unknown" : worstOf(states),
    observedAt: toInstant(states.length === 0 ? entry.observedAtMs : oldestOf(states)),
    receivedAt: toInstant(entry.receivedAtMs),
  };
}

function worstOf(states: readonly ResourceReadState[]): FieldOrigin["state"] {
  return WORST_FIRST.find((name) => states.some(({ state }) => state === name)) ?? "current";
}

/** Null = one of them was never read. */
function oldestOf(states: readonly ResourceReadState[]): number | null {
  const times = states.flatMap(({ observedAtMs }) => observedAtMs ?? []);
  return times.length < states.length ? null : Math.min(...times);
}
