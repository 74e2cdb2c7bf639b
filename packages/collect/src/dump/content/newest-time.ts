import type { KubeCondition, KubeContainerStatus, KubeNode, KubePod, ObjectMeta } from "@plimsoll/contracts";

/** RFC 3339 in UTC, as Kubernetes writes it: such texts sort by time. */
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/**
 * Remembers the newest time that objects show: a dump does not say when it was made, but nodes report about every five
 * minutes, so the newest heartbeat is at most that much before it. Times in the future of an object (deletion) do not count.
 */
export class NewestTime {
  #newest = "";

  /** The newest time seen, RFC 3339 UTC; undefined when none was. */
  get value(): string | undefined {
    return UTC.test(this.#newest) ? this.#newest : undefined;
  }

  see(time: string | undefined): void {
    if (time !== undefined && time > this.#newest && UTC.test(time)) this.#newest = time;
  }

  /** Sees every time in a slim object. */
  seeObject(object: { readonly metadata: ObjectMeta; readonly status?: unknown }): void {
    this.see(object.metadata.creationTimestamp);
  }

  seeNode(node: KubeNode): void {
    this.seeObject(node);
    this.#seeConditions(node.status?.conditions);
  }

  seePod({ metadata, status }: KubePod): void {
    this.see(metadata.creationTimestamp);
    this.see(status?.startTime);
    this.#seeConditions(status?.conditions);
    this.#seeContainers(status?.containerStatuses);
    this.#seeContainers(status?.initContainerStatuses);
  }

  #seeConditions(conditions: readonly KubeCondition[] = []): void {
    for (const condition of conditions) {
      this.see(condition.lastHeartbeatTime);
      this.see(condition.lastTransitionTime);
    }
  }

  #seeContainers(statuses: readonly KubeContainerStatus[] = []): void {
    for (const { state } of statuses) {
      this.see(state?.running?.startedAt);
      this.see(state?.terminated?.finishedAt);
    }
  }
}
