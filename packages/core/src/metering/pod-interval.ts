import type { KubeCondition, KubePod } from "@plimsoll/contracts";
import { podField } from "../pods/container-resources.ts";
import { isFinishedPod } from "../pods/pod-phase.ts";
import { type InstantNanos, parseInstant } from "./instant.ts";
import { type CheckedInterval, checkInterval } from "./usage-interval.ts";

/** Where a bound of a pod's interval was read; anything but the first of each is a guess, coverage < 1. */
export type StartSource = "PodScheduled" | "startTime" | "creationTimestamp";
export type EndSource = "finishedAt" | "condition" | "deletionTimestamp";

/** The time a pod held its node, as far as its object tells. */
export interface PodInterval {
  readonly uid: string;
  readonly checked: CheckedInterval;
  readonly startSource: StartSource;
  /** Null while it runs. */
  readonly endSource: EndSource | "unknown" | null;
}

/**
 * The interval of a pod: from PodScheduled to the last container's `finishedAt` once it has ended. Undefined for a pod
 * that was never bound to a node. Throws `timestamp_invalid`.
 */
export function podInterval(pod: KubePod): PodInterval | undefined {
  if ((pod.spec.nodeName ?? "") === "") return undefined;
  const start = readStart(pod);
  if (!start) return undefined;
  const end = isFinishedPod(pod) ? readEnd(pod) : null;
  return {
    uid: pod.metadata.uid,
    // An end that nobody recorded: billed to the start only, and said so by the source.
    checked: checkInterval(start.at, end === null ? null : (end.at ?? start.at), podField(pod)),
    startSource: start.source,
    endSource: end === null ? null : end.source,
  };
}

interface Bound<S> {
  readonly at: InstantNanos;
  readonly source: S;
}

function readStart(pod: KubePod): Bound<StartSource> | undefined {
  const scheduled = pod.status?.conditions?.find((c) => c.type === "PodScheduled" && c.status === "True");
  const candidates: readonly (readonly [StartSource, string | undefined])[] = [
    ["PodScheduled", scheduled?.lastTransitionTime],
    ["startTime", pod.status?.startTime],
    ["creationTimestamp", pod.metadata.creationTimestamp],
  ];
  for (const [source, text] of candidates) {
    if (text) return { at: parseInstant(text, `${podField(pod)} ${source}`), source };
  }
  return undefined;
}

function readEnd(pod: KubePod): Bound<EndSource> | { readonly at: null; readonly source: "unknown" } {
  const containers = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
  const finished = latest(
    pod,
    "finishedAt",
    containers.map((c) => c.state?.terminated?.finishedAt),
  );
  if (finished !== undefined) return { at: finished, source: "finishedAt" };
  // Evicted pods may have no container states: they were told to go, or stopped being ready, when they ended.
  const isEnd = (c: KubeCondition): boolean =>
    c.type === "DisruptionTarget" ? c.status === "True" : c.type !== "PodScheduled" && c.status === "False";
  const notReady = pod.status?.conditions?.filter(isEnd) ?? [];
  const changed = latest(
    pod,
    "condition",
    notReady.map((c) => c.lastTransitionTime),
  );
  if (changed !== undefined) return { at: changed, source: "condition" };
  const deleted = latest(pod, "deletionTimestamp", [pod.metadata.deletionTimestamp]);
  return deleted === undefined ? { at: null, source: "unknown" } : { at: deleted, source: "deletionTimestamp" };
}

function latest(pod: KubePod, field: string, texts: readonly (string | undefined)[]): InstantNanos | undefined {
  const instants = texts.flatMap((text) => (text ? [parseInstant(text, `${podField(pod)} ${field}`)] : []));
  return instants.reduce<InstantNanos | undefined>(
    (last, instant) => (last === undefined || instant > last ? instant : last),
    undefined,
  );
}
