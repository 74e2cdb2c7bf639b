import type { KubePod } from "@plimsoll/contracts";

/** Does the pod hold room on a node: bound to one, and not Succeeded or Failed? (Whether its node counts is the node's rule.) */
export function isCountedPod(pod: KubePod): boolean {
  return hasNode(pod) && !isFinishedPod(pod);
}

/** Does the pod wait for a node: phase Pending and bound to none? Its requests are demand, shown apart. */
export function isPendingPod(pod: KubePod): boolean {
  return !hasNode(pod) && pod.status?.phase === "Pending";
}

/** Has the pod ended (phase Succeeded or Failed)? It holds nothing any more, though it is still listed. */
export function isFinishedPod(pod: KubePod): boolean {
  return pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
}

/** Is the condition Initialized True: all ordinary init containers are done and hold nothing any more? */
export function isInitialized(pod: KubePod): boolean {
  return pod.status?.conditions?.some((c) => c.type === "Initialized" && c.status === "True") ?? false;
}

function hasNode(pod: KubePod): boolean {
  return (pod.spec.nodeName ?? "") !== "";
}
