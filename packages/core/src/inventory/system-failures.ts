import type { KubePod } from "@plimsoll/contracts";
import type { Owners } from "../capacity/owners.ts";
import { resolveWorkload } from "../capacity/resolve-workload.ts";
import { isFinishedPod } from "../pods/pod-phase.ts";

/** A component of the cluster itself that cannot run. */
export interface SystemFailure {
  /** `Kind/namespace/name` of the workload. */
  readonly object: string;
  /** Why its containers wait, one reason of several. */
  readonly reason: string;
  readonly pods: number;
}

const SYSTEM_NAMESPACE = "kube-system";

/** Reasons of a waiting container that do not pass by themselves. */
const FAILING: ReadonlySet<string> = new Set([
  "CrashLoopBackOff",
  "ImagePullBackOff",
  "ErrImagePull",
  "InvalidImageName",
  "CreateContainerConfigError",
  "CreateContainerError",
  "RunContainerError",
]);

/** Workloads of kube-system with containers that fail to start or keep crashing, sorted. */
export function systemFailures(pods: readonly KubePod[], owners: Owners): readonly SystemFailure[] {
  const failures = new Map<string, SystemFailure>();
  for (const pod of pods) {
    if (pod.metadata.namespace !== SYSTEM_NAMESPACE || isFinishedPod(pod)) continue;
    const reason = failingReason(pod);
    if (reason === undefined) continue;
    const { kind, namespace, name } = resolveWorkload(pod, owners);
    const object = `${kind}/${namespace}/${name}`;
    const held = failures.get(object);
    const first = held === undefined || reason < held.reason ? reason : held.reason;
    failures.set(object, { object, reason: first, pods: (held?.pods ?? 0) + 1 });
  }
  return [...failures.values()].sort((a, b) => (a.object < b.object ? -1 : 1));
}

function failingReason(pod: KubePod): string | undefined {
  const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  const reasons = statuses.flatMap((status) => status.state?.waiting?.reason ?? []);
  return reasons.filter((reason) => FAILING.has(reason)).sort()[0];
}
