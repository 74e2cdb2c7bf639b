import { PlimsollError, tellsAbsence } from "@plimsoll/contracts";
import type { FleetError } from "@plimsoll/contracts/rest";
import type { z } from "zod";
import type { ClusterEntry } from "./cluster-entry.ts";
import type { KnownCluster } from "./cluster-view.ts";
import { toInstant } from "./flat-record.ts";

type Entry = z.infer<typeof FleetError>;

/** What an answer about these clusters lacks: those that are silent, and what is late or cannot be read of the others. */
export function fleetErrors(clusters: readonly KnownCluster[], nowMs: number): Entry[] {
  return clusters.flatMap((cluster) => silence(cluster, nowMs) ?? [...lateFacts(cluster, nowMs), ...unread(cluster)]);
}

function silence({ entry, heard, pullFault }: KnownCluster, nowMs: number): Entry | null {
  if (pullFault) {
    const { code, message, remedy, sinceMs } = pullFault;
    return { ...named(entry), code, message, remedy, since: toInstant(sinceMs) };
  }
  if (heard.state === "online") return null;
  const since = heard.lastBeatAtMs ?? entry.createdAtMs;
  const seconds = Math.max(0, Math.round((nowMs - since) / 1000));
  const error =
    heard.state === "never-seen"
      ? new PlimsollError("cluster_never_seen", { cluster: entry.name })
      : new PlimsollError("cluster_silent", { cluster: entry.name, state: heard.state, seconds });
  return toEntry(entry, error, since);
}

/** The cluster is heard of, but its facts do not get through: they go another way. */
function lateFacts({ entry, rate, factsLateAfterMs }: KnownCluster, nowMs: number): Entry[] {
  if (rate === null || nowMs - rate.asOfMs < factsLateAfterMs) return [];
  const seconds = Math.round((nowMs - rate.asOfMs) / 1000);
  return [toEntry(entry, new PlimsollError("cluster_facts_late", { cluster: entry.name, seconds }), rate.asOfMs)];
}

function unread({ entry }: KnownCluster): Entry[] {
  return entry.readStates.flatMap(({ resource, state, errorCode, observedAtMs }) => {
    if (state !== "stale" && state !== "unreadable") return [];
    if (errorCode !== null && tellsAbsence(errorCode)) return [];
    const reason = errorCode ?? state;
    return toEntry(
      entry,
      new PlimsollError("cluster_not_read", { cluster: entry.name, resource, reason }),
      observedAtMs,
    );
  });
}

function toEntry(entry: ClusterEntry, { code, message, remedy }: PlimsollError, sinceMs: number | null): Entry {
  return { ...named(entry), code, message, remedy, since: toInstant(sinceMs) };
}

function named({ id, name }: ClusterEntry) {
  return { cluster: name, clusterId: id };
}
