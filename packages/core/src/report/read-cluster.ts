import {
  type ClusterFacts,
  PlimsollError,
  type Reading,
  type ReportedError,
  reportError,
  tellsAbsence,
} from "@plimsoll/contracts";
import { indexOwners, type Owners } from "../capacity/owners.ts";
import { type PodDemand, readPodDemand } from "../capacity/pod-demand.ts";
import type { UsageFigures } from "../capacity/usage-figures.ts";
import { type NodeFacts, readNode } from "../nodes/node-facts.ts";
import type { NodeOptions } from "../nodes/node-state.ts";
import { podField } from "../pods/container-resources.ts";
import { checkTimestamps } from "./check-timestamps.ts";
import type { ErrorLog } from "./error-log.ts";
import { readUsage } from "./read-usage.ts";

/** Facts with every quantity parsed once. `null` = could not be read, which the log says. */
export interface ReadCluster {
  readonly nodes: readonly NodeFacts[] | null;
  /** Pods that hold room on a node or wait for one. */
  readonly pods: readonly PodDemand[] | null;
  readonly usage: UsageFigures | null;
  readonly owners: Owners;
}

/** Reads facts; an unknown reading and an object that cannot be understood are reported in `log`, the rest goes on. */
export function readCluster(facts: ClusterFacts, options: NodeOptions, log: ErrorLog): ReadCluster {
  logUnknown(facts, log);
  for (const error of leftOutObjects(facts)) log.add(error);
  const owners = indexOwners(facts.objects);
  const nodes = readObjects(facts.objects.nodes, log, (node) => {
    checkTimestamps(`Node/${node.metadata.name}`, node.metadata);
    return readNode(node, options);
  });
  if (nodes?.length === 0) log.add(reportError(new PlimsollError("nodes_missing", { cluster: facts.name })));
  const pods = readObjects(facts.objects.pods, log, (pod) => {
    checkTimestamps(podField(pod), pod.metadata, pod.status?.startTime);
    return readPodDemand(pod, owners);
  });
  return { nodes, pods, usage: facts.usage.known ? readUsage(facts.usage.value, log) : null, owners };
}

function readObjects<T, R>(
  reading: Reading<readonly T[]>,
  log: ErrorLog,
  read: (object: T) => R | undefined,
): readonly R[] | null {
  if (!reading.known) return null;
  return reading.value.flatMap((object) => log.attempt(() => read(object)) ?? []);
}

/** An error (object_unusable, naming object and field) for each object that was left out and that figures lack. */
export function leftOutObjects({ unused }: ClusterFacts): readonly ReportedError[] {
  return unused.flatMap(({ where, reason, resource }) =>
    resource === undefined ? [] : [reportError(new PlimsollError("object_unusable", { where, reason }))],
  );
}

function logUnknown(facts: ClusterFacts, log: ErrorLog): void {
  for (const reading of [facts.serverVersions, ...Object.values(facts.objects)]) {
    if (!reading.known && !tellsAbsence(reading.error.code)) log.add(reading.error);
  }
  if (facts.usage.known || tellsAbsence(facts.usage.error.code)) return;
  const { code, message, remedy } = facts.usage.error;
  const fields = { cluster: facts.name, reason: message };
  // What mends the reason mends this.
  const wrapped = { ...reportError(new PlimsollError("usage_unavailable", fields)), remedy };
  log.add(code === "usage_unavailable" ? facts.usage.error : wrapped);
}
